import type { Coverage } from '../../transcript/coverage.ts';
import { channelOf } from '../../transcript/perChannel.ts';
import type { Measures } from '../report/report.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** The unit in which coverage has its times: what is less may be missing at an end. */
const TOLERANCE_SECONDS = 0.01;

/** How many seconds of audio are what; of channels that were streamed apart, the sum of all. */
export function coveredSeconds({
  transcript: { coverage = [] },
  seconds,
  startTs,
}: Pick<SessionRun, 'transcript' | 'seconds' | 'startTs'>): Measures['coverageSeconds'] {
  const channels = Math.max(1, new Set(coverage.map(channelOf)).size);
  const final = sumOf(coverage, 'final', startTs, startTs + seconds);
  const silence = sumOf(coverage, 'silence', startTs, startTs + seconds);
  const hole = sumOf(coverage, 'hole', startTs, startTs + seconds);
  const rest = seconds * channels - final - silence - hole;
  return { final, silence, hole, unknown: rest < TOLERANCE_SECONDS * channels ? 0 : rest };
}

function sumOf(
  coverage: Coverage,
  kind: Coverage[number]['kind'],
  fromSeconds: number,
  toSeconds: number,
): number {
  return coverage
    .filter(span => span.kind === kind)
    .map(({ ts, endTs }) => Math.min(endTs, toSeconds) - Math.max(ts, fromSeconds))
    .reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
}

/** What part is final or silent: 1 of no audio. */
export function coverageOf({ final, silence, hole, unknown }: Measures['coverageSeconds']): number {
  const all = final + silence + hole + unknown;
  return all > 0 ? (final + silence) / all : 1;
}
