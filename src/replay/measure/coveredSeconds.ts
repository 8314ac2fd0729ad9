import type { CoverageSpan } from '../../transcript/model/coverage.ts';
import type { PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/events.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** Resolution of the times of coverage; less than this may be missing at an end. */
const TOLERANCE_SECONDS = 0.01;

/** Seconds of audio by what became of them; `unknown` is audio without any result. */
export type CoverageSeconds = Readonly<Record<CoverageSpan['kind'] | 'unknown', number>>;

interface Span {
  readonly ts: number;
  readonly endTs: number;
}

/**
 * Returns the seconds of audio by kind of coverage; channels that were streamed separately are added up. Silence in
 * which partials showed words that never became final does not count as silence, because nobody knows what was said
 * there.
 */
export function coveredSeconds(
  run: Pick<SessionRun, 'transcript' | 'events' | 'seconds' | 'startTs' | 'channels'>,
): CoverageSeconds {
  const { transcript, seconds, startTs } = run;
  const { coverage = [] } = transcript;
  const audio = { ts: startTs, endTs: startTs + seconds };
  const secondsOf = (kind: CoverageSpan['kind']) =>
    sum(coverage.filter(span => span.kind === kind).map(span => overlap(span, audio)));
  const lost = lostWords(run);
  const silences = coverage.filter(({ kind }) => kind === 'silence');
  const notSilent = sum(
    silences.flatMap(silence =>
      lost
        .filter(words => channelOf(words) === channelOf(silence))
        .map(words => overlap(words, { ...audio, ...silence })),
    ),
  );
  const final = secondsOf('final');
  const silence = secondsOf('silence') - notSilent;
  const inaudible = secondsOf('inaudible');
  const hole = secondsOf('hole');
  // Channels that are streamed together have one coverage without a channel.
  const channels = coverage.some(({ channel }) => channel !== undefined) ? (run.channels ?? 1) : 1;
  const rest = seconds * channels - final - silence - inaudible - hole;
  const unknown = rest < TOLERANCE_SECONDS * channels ? 0 : rest;
  return {
    final: toMillisecond(final),
    silence: toMillisecond(silence),
    inaudible: toMillisecond(inaudible),
    hole: toMillisecond(hole),
    unknown: toMillisecond(unknown),
  };
}

/** Rounds seconds: sums and differences of them have noise in the last digits. */
const toMillisecond = (seconds: number) => Math.round(seconds * 1000) / 1000;

function overlap(left: Span, right: Span): number {
  return Math.max(0, Math.min(left.endTs, right.endTs) - Math.max(left.ts, right.ts));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the share that is final or silent, 0 to 1; null without audio. */
export function coverageOf({ final, silence, inaudible, hole, unknown }: CoverageSeconds): number | null {
  const all = final + silence + inaudible + hole + unknown;
  return all > 0 ? (final + silence) / all : null;
}

/** Returns the partials whose words were neither taken back nor became final, in order: their final got lost. */
function lostWords({ events }: Pick<SessionRun, 'events'>): readonly PartialEvent[] {
  const tails = new Map<number, PartialEvent>();
  const lost: PartialEvent[] = [];
  for (const { value } of events) {
    if (value.type !== 'partial' && value.type !== 'final') continue;
    const channel = channelOf(value);
    const tail = tails.get(channel);
    // A result that begins after the partial is about other audio.
    if (tail && value.elements.length > 0 && value.ts >= tail.endTs) lost.push(tail);
    if (value.type === 'partial' && value.elements.length > 0) tails.set(channel, value);
    else tails.delete(channel);
  }
  return [...lost, ...tails.values()];
}
