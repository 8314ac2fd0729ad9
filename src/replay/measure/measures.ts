import { type Stability, type StabilityStep, stabilityOf } from '../../transcript/text/stability.ts';
import { type Interval, rateInterval } from '../score/bootstrap.ts';
import type { ErrorCounts } from '../score/errorCounts.ts';
import { errorRate, type TokenErrors, tokenErrors } from '../score/errorCounts.ts';
import { type KeywordRecall, recallOf } from '../score/keywordRecall.ts';
import type { SpeakerErrors } from '../score/scoreTranscript.ts';
import { type CoverageSeconds, coverageOf } from './coveredSeconds.ts';
import { byDelayKind, type DelayQuantiles, type DelaySamples, delayQuantiles } from './delays.ts';

/** Measures of one file, or of all files together (sums, not means of means). Of streams that failed, all are null or empty. */
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
  readonly upwr: number | null;
  /** Unstable partial segment ratio. */
  readonly upsr: number | null;
  /** Share of the audio that is final or known to be silent, 0 to 1; null without audio. */
  readonly coverage: number | null;
  /** Seconds of audio by kind of coverage. */
  readonly coverageSeconds: CoverageSeconds | null;
  /** Number of times a connection broke or could not be made, however many attempts the next one took. */
  readonly reconnects: number | null;
  /** Number of attempts to connect again, after all of these. */
  readonly attempts: number | null;
}

/** Quantiles of delays, in seconds. */
export type Delays = { readonly [Kind in keyof DelaySamples]: DelayQuantiles | null };

/** Counts and samples from which measures are computed; unlike rates, they add up over runs. */
export interface MeasureParts extends Pick<Measures, 'words' | 'characters'> {
  readonly coverageSeconds: CoverageSeconds;
  readonly reconnects: number;
  readonly attempts: number;
  readonly segments: readonly TokenErrors[];
  readonly speakers: readonly Omit<SpeakerErrors, 'wer'>[];
  /** Null when no keywords are given. */
  readonly keywords: KeywordRecall['keywords'] | null;
  /** Null at speed `max`. */
  readonly delays: DelaySamples | null;
  readonly stability: readonly StabilityStep[];
  readonly streams: number;
}

/** The parts of no stream. */
export const NO_PARTS: MeasureParts = {
  words: null,
  characters: null,
  segments: [],
  speakers: [],
  keywords: null,
  delays: null,
  stability: [],
  coverageSeconds: { final: 0, silence: 0, inaudible: 0, hole: 0, unknown: 0 },
  reconnects: 0,
  attempts: 0,
  streams: 0,
};

/** Computes measures. @param seed of the bootstrap */
export function measuresOf(parts: MeasureParts, seed: number): Measures {
  const { words, characters, segments, speakers, keywords, delays, coverageSeconds, ...rest } = parts;
  const { reconnects, attempts, streams } = rest;
  const { upwr, upsr }: Stability = stabilityOf(parts.stability);
  /** Returns a measure that has a value for any stream. */
  const ofStreams = <T>(value: T) => (streams > 0 ? value : null);
  return {
    wer: words && errorRate(tokenErrors(words)),
    cer: characters && errorRate(characters),
    words,
    characters,
    werInterval: rateInterval(segments, seed),
    speakers: speakers.map(each => ({ ...each, wer: errorRate(tokenErrors(each.words)) })),
    keywords: keywords && { recall: recallOf(keywords), keywords },
    delay: delays && byDelayKind(kind => delayQuantiles(delays[kind])),
    upwr: ofStreams(upwr),
    upsr: ofStreams(upsr),
    coverageSeconds: ofStreams(coverageSeconds),
    reconnects: ofStreams(reconnects),
    attempts: ofStreams(attempts),
    coverage: coverageOf(coverageSeconds),
  };
}
