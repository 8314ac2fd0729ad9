import type { ControlledOutput } from '../../captions/control/captionControl.ts';
import type { CaptionFigures } from './captionStats.ts';

/** State of one source of a process. */
export interface RoomReport {
  /** Name of the source; empty for the only one. */
  readonly name: string;
  readonly figures: CaptionFigures;
  readonly outputs: readonly ControlledOutput[];
}

/** State of a process that captions. */
export interface CaptionReport {
  readonly rooms: readonly RoomReport[];
  /** Processor time for each second of audio. */
  readonly computeRatio: number;
  readonly viewers?: number;
}

/** A metric: its name without prefix, its description, and its value; undefined when unknown. A counter has a name that ends in `_total`. */
type Metric<Of> = readonly [name: string, help: string, value: (of: Of) => number | undefined];

const ROOM_METRICS: readonly Metric<CaptionFigures>[] = [
  ['audio_seconds_total', 'Seconds of audio.', ({ audioSeconds }) => audioSeconds],
  ['words_total', 'Words of final text.', ({ words }) => words],
  ['reconnects_total', 'Lost connections.', ({ reconnects }) => reconnects],
  ['coverage_ratio', 'Share of the audio that has text or is silent.', ({ coverage }) => coverage],
  ['connected', '1 while the service is connected.', ({ isConnected }) => Number(isConnected)],
];

const OUTPUT_METRICS: readonly Metric<ControlledOutput>[] = [
  ['output_up', '1 while the output works.', ({ failure }) => Number(failure === undefined)],
  [
    'output_delay_p50_seconds',
    'Median delay of words in the last minute.',
    ({ wordDelay }) => wordDelay?.p50,
  ],
  ['output_delay_p95_seconds', 'Its 95th percentile.', ({ wordDelay }) => wordDelay?.p95],
  ['output_shown_total', 'Updates that arrived.', ({ shown }) => shown],
  ['output_skipped_total', 'Updates that newer ones replaced.', ({ skipped }) => skipped],
  ['output_failures_total', 'Failed attempts.', ({ failures }) => failures],
];

const PROCESS_METRICS: readonly Metric<CaptionReport>[] = [
  ['compute_ratio', 'Processor time for each second of audio.', ({ computeRatio }) => computeRatio],
  ['viewers', 'Connected viewers of the page.', ({ viewers = 0 }) => viewers],
];

/** Returns a report in the text format of Prometheus, version 0.0.4. */
export function captionMetrics(report: CaptionReport): string {
  const rooms = report.rooms.map(({ name, figures }) => [{ room: name }, figures] as const);
  const outputs = report.rooms.flatMap(({ name, outputs }) =>
    outputs.map(output => [{ room: name, output: output.name }, output] as const),
  );
  return [
    ...ROOM_METRICS.map(metric => metricText(metric, rooms)),
    ...OUTPUT_METRICS.map(metric => metricText(metric, outputs)),
    ...PROCESS_METRICS.map(metric => metricText(metric, [[{}, report]])),
  ].join('');
}

type Labels = Readonly<Record<string, string>>;

function metricText<Of>(
  [name, help, value]: Metric<Of>,
  samples: readonly (readonly [labels: Labels, of: Of])[],
): string {
  const full = `rxscribe_captions_${name}`;
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  const lines = samples.flatMap(([labels, of]) => {
    const known = value(of);
    return known === undefined ? [] : [`${full}${labelText(labels)} ${Number(known.toFixed(6))}\n`];
  });
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Returns the state as JSON for a health check: `ok` is false while any source gives no captions. */
export function captionHealth({ rooms }: CaptionReport): { readonly ok: boolean; readonly body: object } {
  const ok = rooms.every(({ figures }) => figures.problem === undefined);
  const body = {
    status: ok ? 'ok' : 'failing',
    rooms: rooms.map(({ name, figures, outputs }) => ({
      name,
      problem: figures.problem,
      outputs: outputs.map(output => ({ name: output.name, failure: output.failure })),
    })),
  };
  return { ok, body };
}
