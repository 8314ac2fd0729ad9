import { countLeading } from '../../base/countLeading.ts';
import { quantile } from '../../base/quantile.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/events.ts';
import { pairWords } from '../../transcript/text/pairWords.ts';
import { type Token, wordKey, wordTokensOf } from '../../transcript/text/tokens.ts';
import type { SessionRun, Timed } from '../session/sessionRun.ts';

export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

/**
 * Returns the quantiles of samples in any order, by the nearest rank (the least sample that at least that share of the
 * samples does not exceed); null without samples.
 *
 * @example
 * quantilesOf([0.4, 0.1, 0.2])?.p50 // 0.2
 */
export function quantilesOf(samples: readonly number[]): Quantiles | null {
  if (samples.length === 0) return null;
  const counts = samples.toSorted((one, other) => one - other).map(sample => [sample, 1] as const);
  const at = (share: number) => quantile(counts, share) ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count: samples.length };
}

/** Kinds of delays between speech and its text, in the order of a report. */
export const DELAY_KINDS = ['firstPartial', 'word', 'final'] as const;

export type DelayKind = (typeof DELAY_KINDS)[number];

/** Returns a value for each kind of delay. */
export function byDelayKind<Value>(delayOf: (kind: DelayKind) => Value): Record<DelayKind, Value> {
  return { firstPartial: delayOf('firstPartial'), word: delayOf('word'), final: delayOf('final') };
}

/** The delay of a word. */
export interface Delay {
  /** Negative for text that was shown before its audio ended. */
  readonly seconds: number;
  readonly text: string;
  /** End of the word in the audio, in seconds. */
  readonly endTs: number;
  /** Name of its file. Absent in a single run. */
  readonly file?: string;
}

/** Single delays of a run. */
export interface DelaySamples {
  /** Per utterance: from the end of its first word to the first partial or final with any text. */
  readonly firstPartial: readonly Delay[];
  /** Per word of a final: from its end to the event from which on it stayed in place. */
  readonly word: readonly Delay[];
  /** Per utterance: from the end of its last word to its final. */
  readonly final: readonly Delay[];
}

/**
 * Returns the delays between speech and its text on the clock of the run. A word counts from when it was shown for
 * good: a word that was taken back and returned counts from its return. Words without times are left out.
 *
 * @example
 * delayQuantiles(delaysOf(run).final)?.p95 // 0.82: nineteen of twenty finals came within 0.82 s of the last word's end
 */
export function delaysOf(
  run: Pick<SessionRun, 'events' | 'audio' | 'sampleRate' | 'startTs' | 'speed'>,
): DelaySamples {
  const spokenAt = audioTimes(run);
  const since = (atMs: number, { text, endTs }: Partial<Token> = {}): readonly Delay[] => {
    const spokenMs = endTs === undefined ? undefined : spokenAt(endTs);
    if (spokenMs === undefined) return [];
    return [{ seconds: (atMs - spokenMs) / 1000, text: text!, endTs: endTs! }];
  };
  const utterances = utterancesOf(run).map(utterance => {
    const words = wordTokensOf(utterance.final.value.elements);
    return { utterance, words, timed: words.filter(({ endTs }) => endTs !== undefined) };
  });
  return {
    firstPartial: utterances.flatMap(({ utterance, timed }) => since(firstShowing(utterance).atMs, timed[0])),
    word: utterances.flatMap(({ utterance, words }) => {
      const shownAt = showings(utterance, words);
      return shownAt.flatMap((atMs, index) => since(atMs, words[index]));
    }),
    final: utterances.flatMap(({ utterance, timed }) => since(utterance.final.atMs, timed.at(-1))),
  };
}

/** Quantiles of delays in seconds. */
export interface DelayQuantiles extends Quantiles {
  /** The longest delays, the longest one first. */
  readonly latest: readonly Delay[];
}

/** Number of words that are named. */
const LATEST = 3;

/**
 * Returns the quantiles of delays; null without any.
 *
 * @example
 * delayQuantiles([{ seconds: 0.4, text: 'posed.', endTs: 2.9 }])?.p95 // 0.4
 */
export function delayQuantiles(delays: readonly Delay[]): DelayQuantiles | null {
  const quantiles = quantilesOf(delays.map(({ seconds }) => seconds));
  const latest = delays.toSorted((one, other) => other.seconds - one.seconds).slice(0, LATEST);
  return quantiles && { ...quantiles, latest };
}

function firstShowing({ partials, final }: Utterance): Timed<unknown> {
  return partials.find(({ value }) => value.elements.length > 0) ?? final;
}

/** Returns for each word of a final the time from which on it stayed in place. */
function showings({ partials, final }: Utterance, words: readonly Token[]): readonly number[] {
  const keys = words.map(({ text }) => wordKey(text));
  const shownAt = words.map(() => final.atMs);
  let standing = new Set(keys.keys());
  for (const { atMs, value } of partials.toReversed()) {
    const shown = wordTokensOf(value.elements).map(({ text }) => wordKey(text));
    const stood = pairWords(shown, keys).map(({ right }) => right);
    standing = new Set(stood.filter(index => standing.has(index)));
    if (standing.size === 0) break;
    for (const index of standing) shownAt[index] = atMs;
  }
  return shownAt;
}

/** Half of the resolution of times from services: a word may seem to end after a pause that it ends before. */
const TOLERANCE_SECONDS = 0.005;

/**
 * Returns a function from a time in the transcript, in seconds, to the time at which that audio was spoken, in
 * milliseconds of the run. A block arrives when its last frame is due, so its content was spoken before. A word that
 * ends after the audio ends with it. Undefined without audio.
 */
export function audioTimes(
  run: Pick<SessionRun, 'audio' | 'sampleRate' | 'startTs' | 'speed'>,
): (seconds: number) => number | undefined {
  const { audio, sampleRate, startTs, speed } = run;
  const rate = speed === 'max' ? Number.POSITIVE_INFINITY : speed;
  const lastFrame = audio.at(-1)?.value.endFrame ?? 0;
  return seconds => {
    const frame = Math.min((seconds - startTs) * sampleRate, lastFrame);
    const least = frame - TOLERANCE_SECONDS * sampleRate;
    const block = audio[countLeading(audio, ({ value }) => value.endFrame < least)];
    if (!block) return undefined;
    return block.atMs - ((block.value.endFrame - frame) * 1000) / (sampleRate * rate);
  };
}

/** A final, with the partials since the final before. */
export interface Utterance {
  readonly partials: readonly Timed<PartialEvent>[];
  readonly final: Timed<FinalEvent>;
}

/** Returns the utterances of a run in the order of their finals; partials without a final are left out. */
export function utterancesOf({ events }: Pick<SessionRun, 'events'>): readonly Utterance[] {
  const open = new Map<number, Timed<PartialEvent>[]>();
  const utterances: Utterance[] = [];
  for (const { atMs, value } of events) {
    if (value.type !== 'partial' && value.type !== 'final') continue;
    const channel = channelOf(value);
    const partials = open.get(channel) ?? [];
    if (value.type === 'partial') {
      partials.push({ atMs, value });
      open.set(channel, partials);
    } else {
      open.delete(channel);
      utterances.push({ partials, final: { atMs, value } });
    }
  }
  return utterances;
}
