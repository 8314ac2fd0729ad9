import type { Clock } from '../../base/clock.ts';
import { counted } from '../../base/text.ts';
import { every } from '../../base/wait/every.ts';
import { shownDelays } from '../../captions/control/operatorMessage.ts';
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

/** Returns a report as one line for people, with the most important first: a narrow terminal cuts it. */
export function statusText({ rooms, computeRatio, viewers }: CaptionReport): string {
  const watched = viewers === undefined ? [] : [counted(viewers, 'viewer')];
  return [...rooms.map(roomText), ...watched, `compute ${computeRatio.toFixed(2)}x`].join(' · ');
}

function roomText({ name, figures, outputs }: RoomReport): string {
  const { words, wordsInProgress, reconnects, coverage, peakDb, problem, microphone } = figures;
  const failing = outputs.filter(({ failure }) => failure !== undefined).map(output => output.name);
  const parts = [
    ...(peakDb === undefined ? [] : [meter(peakDb)]),
    ...(failing.length > 0 ? [`failing: ${failing.join(', ')}`] : []),
    ...(microphone?.isOther ? ['other microphone'] : []),
    ...(problem === undefined ? wordDelays(outputs) : [problem]),
    counted(words + wordsInProgress, 'word'),
    ...(reconnects > 0 ? [counted(reconnects, 'reconnect')] : []),
    ...(coverage < 0.9995 ? [`${(coverage * 100).toFixed(1)} % covered`] : []),
  ];
  return `${name === '' ? '' : `${name}: `}${parts.join(' · ')}`;
}

/** Returns the delay of the words, and of outputs with another one, such as `1.0 s behind (p95 1.9)` and `youtube 31.2 s`. */
function wordDelays(outputs: RoomReport['outputs']): readonly string[] {
  const { first, others } = shownDelays(outputs);
  if (!first) return [];
  const apart = others.map(({ name, p50 }) => `${name} ${p50.toFixed(1)} s`);
  return [`${first.p50.toFixed(1)} s behind (p95 ${first.p95.toFixed(1)})`, ...apart];
}

const BARS = '▁▂▃▄▅▆▇█';
/** Level in dB of an empty meter. */
const METER_FLOOR_DB = -60;

/** Returns a bar for a level. */
function meter(peakDb: number): string {
  const share = Math.max(0, Math.min(1, 1 - peakDb / METER_FLOOR_DB));
  return BARS[Math.round(share * (BARS.length - 1))]!;
}
