import type { CueRule } from '../../transcript/cues/cueViolations.ts';
import { type Stability, type StabilityStep, stabilityOf } from '../../transcript/text/stability.ts';
import type { ErrorCounts } from '../align/alignment.ts';
import { type Interval, rateInterval } from '../score/bootstrap.ts';
import { errorRate, type TokenErrors, tokenErrors } from '../score/errorCounts.ts';
import { type KeywordRecall, recallOf } from '../score/keywordRecall.ts';
import type { SpeakerErrors } from '../score/scoreTranscript.ts';
import { type CoverageSeconds, coverageOf } from './coveredSeconds.ts';
import { type DelayQuantiles, type DelaySamples, delayQuantiles } from './delays.ts';
import { byDelayKind } from './quantiles.ts';

/** Measures of one file, or of all files together (sums, not means of means). */
export interface Measures {
  /** Word error rate; null without a reference. */
  readonly wer: number | null;
  /** Character error rate; null without a reference. */
  readonly cer: number | null;
  readonly words: ErrorCounts | null;
  readonly characters: TokenErrors | null;
  /** 95 % confidence interval of `wer` by the bootstrap; null with too few segments. */
  readonly werInterval: Interval | null;
  /** Errors per speaker of the reference; empty when it names none. */
  readonly speakers: readonly SpeakerErrors[];
  /** Recall of the keywords; null when none are given. */
  readonly keywords: KeywordRecall | null;
  /** Delays; null at speed `max`, at which nothing was spoken in real time. */
  readonly delay: Delays | null;
  /** Unstable partial word ratio. */
  readonly upwr: number;
  /** Unstable partial segment ratio. */
  readonly upsr: number;
  /** Share of the audio that is final or known to be silent, 0 to 1. */
  readonly coverage: number;
  /** Seconds of audio by kind of coverage. */
  readonly coverageSeconds: CoverageSeconds;
  /** Number of violations of the rules of the caption profile. */
  readonly violations: number;
  readonly violationsByRule: Readonly<Partial<Record<CueRule, number>>>;
  /** Number of times a connection broke or could not be made, however many attempts the next one took. */
  readonly reconnects: number;
  /** Number of attempts to connect again, after all of these. */
  readonly attempts: number;
  /** The share of streams with any text: 0 or 1 for one stream. */
  readonly withText: number;
  /** The share of streams without a wrong word; null without a reference. */
  readonly perfect: number | null;
}

/** Quantiles of delays, in seconds. */
export type Delays = { readonly [Kind in keyof DelaySamples]: DelayQuantiles | null };

/** Counts and samples from which measures are computed; unlike rates, they add up over runs. */
export interface MeasureParts
  extends Pick<
    Measures,
    'words' | 'characters' | 'coverageSeconds' | 'violationsByRule' | 'reconnects' | 'attempts'
  > {
  readonly segments: readonly TokenErrors[];
  readonly speakers: readonly Omit<SpeakerErrors, 'wer'>[];
  /** Null when no keywords are given. */
  readonly keywords: KeywordRecall['keywords'] | null;
  /** Null at speed `max`. */
  readonly delays: DelaySamples | null;
  readonly stability: readonly StabilityStep[];
  readonly texts: {
    readonly streams: number;
    readonly withText: number;
    /** Streams with a reference, and those of them without a wrong word. */
    readonly scored: number;
    readonly perfect: number;
  };
}

/** Computes measures. @param seed of the bootstrap */
export function measuresOf(parts: MeasureParts, seed: number): Measures {
  const { words, characters, segments, speakers, keywords, delays, coverageSeconds, ...rest } = parts;
  const { violationsByRule, reconnects, attempts, texts } = rest;
  const { upwr, upsr }: Stability = stabilityOf(parts.stability);
  return {
    wer: words && errorRate(tokenErrors(words)),
    cer: characters && errorRate(characters),
    words,
    characters,
    werInterval: rateInterval(segments, seed),
    speakers: speakers.map(each => ({ ...each, wer: errorRate(tokenErrors(each.words)) })),
    keywords: keywords && { recall: recallOf(keywords), keywords },
    delay: delays && byDelayKind(kind => delayQuantiles(delays[kind])),
    upwr,
    upsr,
    coverageSeconds,
    violationsByRule,
    reconnects,
    attempts,
    coverage: coverageOf(coverageSeconds),
    // Without streams, none lacks text.
    withText: texts.streams === 0 ? 1 : texts.withText / texts.streams,
    perfect: texts.scored === 0 ? null : texts.perfect / texts.scored,
    violations: Object.values(violationsByRule).reduce((sum, count) => sum + count, 0),
  };
}
