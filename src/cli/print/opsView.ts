import { styleText } from 'node:util';
import { counted } from '../../base/text.ts';
import type { Figures, OverviewJson, ProcessJson } from '../../protocol/admin.ts';
import { NOTHING } from '../../replay/report/figures.ts';
import { wrapWords } from '../../transcript/text/textWidth.ts';
import type { Output } from '../context.ts';
import { type EarlierOverview, quantileOf, sumOf, sumOfProcesses, valuesOf } from './opsFigures.ts';
import { columnsText, linesText } from './table.ts';

/** Lag in seconds from which streams are behind, as in the admission of the service. */
const BEHIND_SECONDS = 2;

const HUMAN_JOBS = 'rxscribe.human_jobs.waiting';
const [HUMAN_JOBS_AGE, HUMAN_JOBS_OVERDUE] = [`${HUMAN_JOBS}.age`, 'rxscribe.human_jobs.overdue'];

/** Returns the state of a service as one line. */
export function opsLine(overview: OverviewJson): string {
  const { figures: common, processes } = overview;
  const alive = processes.filter(process => process.is_alive);
  const now = sumOfProcesses({ ...overview, processes: alive });
  const waiting = sumOf(common, 'rxscribe.jobs.waiting') ?? 0;
  const people = sumOf(common, HUMAN_JOBS) ?? 0;
  return [
    alive.length === 1 ? '1 process' : `${alive.length} processes`,
    `${counted(running(now), 'stream')}, ${sumOf(now, 'rxscribe.streams', { state: 'waiting' }) ?? 0} waiting, ${free(now)} free`,
    `lag ${seconds(worst(alive, 'rxscribe.stream.lag'))}`,
    `${counted(sumOf(now, 'rxscribe.jobs.running') ?? 0, 'job')} running, ${waiting} waiting${oldest(common, waiting, 'rxscribe.jobs.waiting.age')}`,
    `${counted(people, 'human job')} waiting${oldest(common, people, HUMAN_JOBS_AGE)}`,
    `${counted(sumOf(common, 'rxscribe.deliveries.waiting') ?? 0, 'notification')} waiting`,
  ].join(' · ');
}

/** Returns the state of a service for a terminal. */
export function opsText(overview: OverviewJson, before: EarlierOverview | undefined, output: Output): string {
  const recent = sumOfProcesses(overview, before);
  const since = before ? `last ${Math.round(before.secondsAgo)} s` : 'since the start';
  return [
    linesText(wrapWords(opsLine(overview), output.columns || 80)),
    processTable(overview.processes, output),
    queueTable(overview, output),
    timeTable(recent, since, output),
    `${endsText(recent, since)}\n`,
  ].join('\n');
}

function processTable(processes: readonly ProcessJson[], output: Output): string {
  const titles = [
    ...['Process', 'Role', 'Version', 'Up', 'Streams', 'Free'],
    ...['Load', 'CPU/audio', 'Lag', 'Jobs', 'Database'],
  ];
  const rows = processes.map(process => processRow(process, output));
  return columnsText(titles, rows, output);
}

function processRow(process: ProcessJson, output: Output): readonly string[] {
  const { host, id, role, version, figures, is_alive: isAlive } = process;
  const lag = sumOf(figures, 'rxscribe.stream.lag');
  const slots = sumOf(figures, 'rxscribe.streams.slots');
  const cost = sumOf(figures, 'rxscribe.engine.load');
  const connections = (state: string) => sumOf(figures, 'rxscribe.database.connections', { state }) ?? 0;
  const name = `${host} ${id.slice(0, 6)}`;
  return [
    isAlive ? name : styleText('red', `${name} gone`, { stream: output }),
    role,
    version,
    duration((Date.parse(process.seen_on) - Date.parse(process.started_on)) / 1000),
    role === 'worker' ? NOTHING : `${running(figures)}${slots === undefined ? '' : `/${slots}`}`,
    role === 'worker' ? NOTHING : free(figures),
    percent(sumOf(figures, 'rxscribe.engine.busy')),
    cost === undefined ? NOTHING : `${cost.toFixed(2)}x`,
    lag !== undefined && lag >= BEHIND_SECONDS
      ? styleText('red', seconds(lag), { stream: output })
      : seconds(lag),
    role === 'api' ? NOTHING : String(sumOf(figures, 'rxscribe.jobs.running') ?? 0),
    'rxscribe.database.connections' in figures
      ? `${connections('used')} used, ${connections('idle')} idle, ${connections('waiting')} waiting`
      : NOTHING,
  ];
}

function queueTable({ figures, processes }: OverviewJson, output: Output): string {
  const alive = processes.filter(process => process.is_alive);
  const now = sumOfProcesses({ processes: alive, figures });
  const lanes = valuesOf(figures, 'rxscribe.jobs.waiting').map(({ attributes }) => String(attributes.lane));
  const rows = lanes.map(lane => [
    lane,
    String(sumOf(figures, 'rxscribe.jobs.waiting', { lane }) ?? NOTHING),
    seconds(sumOf(figures, 'rxscribe.jobs.waiting.age', { lane }) || undefined),
    String(sumOf(now, 'rxscribe.jobs.running', { lane }) ?? 0),
  ]);
  const people = [
    'for people',
    String(sumOf(figures, HUMAN_JOBS) ?? NOTHING),
    seconds(sumOf(figures, HUMAN_JOBS_AGE) || undefined),
    `${sumOf(figures, HUMAN_JOBS, { state: 'claimed' }) ?? 0} claimed, ${sumOf(figures, HUMAN_JOBS_OVERDUE) ?? 0} overdue`,
  ];
  return columnsText(['Queue', 'Waiting', 'Oldest', 'Running'], [...rows, people], output);
}

function timeTable(recent: Figures, since: string, output: Output): string {
  const rows = [
    ['first partial', valuesOf(recent, 'rxscribe.stream.first_partial.delay')],
    ['final', valuesOf(recent, 'rxscribe.stream.final.delay')],
    ['job', valuesOf(recent, 'rxscribe.job.duration')],
    ['database', valuesOf(recent, 'rxscribe.store.duration', { server: 'database' })],
    ['objects', valuesOf(recent, 'rxscribe.store.duration', { server: 'objects' })],
  ] as const;
  const cells = rows.map(([name, values]) => [
    name,
    ...[0.5, 0.95, 0.99].map(share => atMost(quantileOf(values, share))),
    String(values.reduce((sum, { buckets = [] }) => sum + buckets.reduce((all, count) => all + count, 0), 0)),
  ]);
  return columnsText([`Times (${since})`, 'p50', 'p95', 'p99', 'Count'], cells, output);
}

function endsText(recent: Figures, since: string): string {
  const counts = (name: string, attribute: string) => {
    const totals = new Map<string, number>();
    for (const { attributes, value } of valuesOf(recent, name)) {
      const key = attributes[attribute];
      if (key !== undefined) totals.set(String(key), (totals.get(String(key)) ?? 0) + value);
    }
    const parts = [...totals].filter(([, count]) => count > 0).map(([key, count]) => `${key}: ${count}`);
    return parts.join(', ') || 'none';
  };
  return [
    `Ended (${since}):`,
    `streams by close code  ${counts('rxscribe.streams.ended', 'code')}`,
    `jobs by outcome        ${counts('rxscribe.jobs.ended', 'outcome')}`,
    `failed jobs by reason  ${counts('rxscribe.jobs.ended', 'failure')}`,
    `notifications          ${counts('rxscribe.deliveries', 'outcome').replaceAll('_', ' ')}`,
  ].join('\n  ');
}

function running(figures: Figures): number {
  const of = (state: string) => sumOf(figures, 'rxscribe.streams', { state }) ?? 0;
  return of('running') + of('draining');
}

function free(figures: Figures): string {
  return String(sumOf(figures, 'rxscribe.streams.free') ?? 'any number');
}

function worst(processes: readonly ProcessJson[], name: string): number | undefined {
  const values = processes.flatMap(({ figures }) => valuesOf(figures, name)).map(({ value }) => value);
  return values.length === 0 ? undefined : Math.max(...values);
}

function oldest(figures: Figures, waiting: number, name: string): string {
  const age = Math.max(0, ...valuesOf(figures, name).map(({ value }) => value));
  return waiting > 0 ? ` (oldest ${seconds(age)})` : '';
}

function seconds(value: number | undefined): string {
  if (value === undefined) return NOTHING;
  return value < 10 ? `${value.toFixed(1)} s` : duration(value);
}

/** Formats the boundary above a quantile. */
function atMost(value: number | undefined): string {
  if (value === undefined) return NOTHING;
  if (value === Number.POSITIVE_INFINITY) return 'more';
  return `≤ ${value < 1 ? `${value * 1000} ms` : `${value} s`}`;
}

function duration(value: number): string {
  if (value < 120) return `${Math.round(value)} s`;
  if (value < 7200) return `${Math.round(value / 60)} min`;
  return value < 172_800 ? `${Math.round(value / 3600)} h` : `${Math.round(value / 86_400)} days`;
}

function percent(share: number | undefined): string {
  return share === undefined ? NOTHING : `${Math.round(share * 100)} %`;
}
