import type { Clock } from '../../base/clock.ts';
import { counted } from '../../base/text.ts';
import { every } from '../../base/wait/every.ts';
import type { Output } from '../context.ts';
import type { CaptionReport, RoomReport } from './captionMetrics.ts';

/** Milliseconds between two updates of the line of a terminal, and between two lines elsewhere. */
const INTERVAL_MS = { update: 1000, line: 60_000 } as const;

export interface StatusLineOptions {
  /** Shows a text on a line that changes; returns whether there is such a line. */
  readonly state: (text: string) => boolean;
  readonly stderr: Pick<Output, 'write'>;
  readonly clock: Clock;
}

/**
 * Shows reports each second on a line that changes. Where there is none, such as in the log of a system service, a line is
 * written each minute.
 *
 * @returns a function that ends it
 */
export function statusLine(
  report: () => CaptionReport,
  { state, stderr, clock }: StatusLineOptions,
): () => Promise<void> {
  let writtenMs = clock.now();
  const show = async () => {
    const text = statusText(report());
    if (state(text) || clock.now() - writtenMs < INTERVAL_MS.line) return;
    writtenMs = clock.now();
    stderr.write(`Status: ${text}\n`);
  };
  return every(INTERVAL_MS.update, show, { clock, onError: () => {} });
}

/** Returns a report as one line for people. */
export function statusText({ rooms, computeRatio, viewers }: CaptionReport): string {
  const compute = `compute ${computeRatio.toFixed(2)}x`;
  const shared = [compute, ...(viewers === undefined ? [] : [counted(viewers, 'viewer')])];
  return [...rooms.map(roomText), ...shared].join(' · ');
}

function roomText({ name, figures, outputs }: RoomReport): string {
  const { words, reconnects, coverage, peakDb, problem } = figures;
  const failing = outputs.filter(({ failure }) => failure !== undefined).map(output => output.name);
  const parts = [
    ...(peakDb === undefined ? [] : [meter(peakDb)]),
    ...(failing.length > 0 ? [`failing: ${failing.join(', ')}`] : []),
    ...(problem === undefined ? wordDelays(outputs) : [problem]),
    counted(words, 'word'),
    ...(reconnects > 0 ? [counted(reconnects, 'reconnect')] : []),
    ...(coverage < 0.9995 ? [`${(coverage * 100).toFixed(1)} % covered`] : []),
  ];
  return `${name === '' ? '' : `${name}: `}${parts.join(' · ')}`;
}

/** Returns the delay of the words of each output, such as `terminal 1.0 s behind (p95 1.9)`. */
function wordDelays(outputs: RoomReport['outputs']): readonly string[] {
  return outputs.flatMap(({ name, wordDelay }) =>
    wordDelay ? [`${name} ${wordDelay.p50.toFixed(1)} s behind (p95 ${wordDelay.p95.toFixed(1)})`] : [],
  );
}

const BARS = '▁▂▃▄▅▆▇█';
/** Level in dB of an empty meter. */
const METER_FLOOR_DB = -60;

/** Returns a bar for a level. */
function meter(peakDb: number): string {
  const share = Math.max(0, Math.min(1, 1 - peakDb / METER_FLOOR_DB));
  return BARS[Math.round(share * (BARS.length - 1))]!;
}
