import type { CueRule } from '../../transcript/cues/cueViolations.ts';
import { type Stability, type StabilityStep, stabilityOf } from '../../transcript/text/stability.ts';
import type { ErrorCounts } from '../align/alignment.ts';
import { type Interval, rateInterval } from '../score/bootstrap.ts';
import { errorRate, tokenErrors } from '../score/errorCounts.ts';
import { type KeywordRecall, recallOf } from '../score/keywordRecall.ts';
import type { SpeakerErrors } from '../score/scoreTranscript.ts';
import { type CoverageSeconds, coverageOf } from './coveredSeconds.ts';
import type { DelaySamples } from './delays.ts';
import { type Quantiles, quantilesOf } from './quantiles.ts';

/** Of one file, or of all: sums, not means of means. */
export interface Measures {
  /** Word error rate; null without a reference. */
  readonly wer: number | null;
  /** Character error rate; null without a reference. */
  readonly cer: number | null;
  readonly words: ErrorCounts | null;
  readonly characters: { readonly tokens: number; readonly errors: number } | null;
  /** 95 % confidence interval of `wer` by the bootstrap; null with too few segments to say. */
  readonly werInterval: Interval | null;
  /** Of the speakers of the reference; empty where it names none. */
  readonly speakers: readonly SpeakerErrors[];
  /** Null when no keywords are given. */
  readonly keywords: KeywordRecall | null;
  /** Null at speed `max`: nothing was spoken in time. */
  readonly delay: Delays | null;
  /** Unstable partial word ratio. */
  readonly upwr: number;
  /** Unstable partial segment ratio. */
  readonly upsr: number;
  /** What part of the audio is final or known to be silent: 0 to 1. */
  readonly coverage: number;
  /** Seconds of audio. `unknown`: nobody said anything of it. */
  readonly coverageSeconds: CoverageSeconds;
  /** Caption rules that were broken, at the layout of the profile. */
  readonly violations: number;
  readonly violationsByRule: Readonly<Partial<Record<CueRule, number>>>;
  /** How often a connection broke or could not be had, however many tries the next one took. */
  readonly reconnects: number;
  /** The share of streams with any text: 0 or 1 for one stream. Absent in reports of earlier releases. */
  readonly withText?: number;
}

/** In seconds. */
export interface Delays {
  /** From the end of the first word of an utterance to the first partial or final that shows anything of it. */
  readonly firstPartial: Quantiles | null;
  /** From the end of a word to when it was shown for good. */
  readonly word: Quantiles | null;
  /** From the end of the last word of an utterance to its final. */
  readonly final: Quantiles | null;
}

/** What the measures of a run are made of: counts and samples, which add up over runs as rates do not. */
export interface MeasureParts {
  /** Null without a reference, as are the characters. */
  readonly words: ErrorCounts | null;
  readonly characters: { readonly tokens: number; readonly errors: number } | null;
  readonly segments: readonly { readonly tokens: number; readonly errors: number }[];
  readonly speakers: readonly Omit<SpeakerErrors, 'wer'>[];
  /** Null when no keywords are given. */
  readonly keywords: KeywordRecall['keywords'] | null;
  /** Null at speed `max`. */
  readonly delays: DelaySamples | null;
  readonly stability: readonly StabilityStep[];
  readonly coverageSeconds: CoverageSeconds;
  readonly violationsByRule: Readonly<Partial<Record<CueRule, number>>>;
  readonly reconnects: number;
  readonly texts: { readonly streams: number; readonly withText: number };
}

/** @param seed of the bootstrap */
export function measuresOf(parts: MeasureParts, seed: number): Measures {
  const { words, characters, segments, speakers, keywords, delays, coverageSeconds, ...rest } = parts;
  const { violationsByRule, reconnects, texts } = rest;
  const { upwr, upsr }: Stability = stabilityOf(parts.stability);
  return {
    wer: words && errorRate(tokenErrors(words)),
    cer: characters && errorRate(characters),
    words,
    characters,
    werInterval: rateInterval(segments, seed),
    speakers: speakers.map(({ speaker, words }) => ({
      ...{ speaker, words },
      wer: errorRate(tokenErrors(words)),
    })),
    keywords: keywords && { recall: recallOf(keywords), keywords },
    delay: delays && {
      firstPartial: quantilesOf(delays.firstPartial),
      word: quantilesOf(delays.word),
      final: quantilesOf(delays.final),
    },
    ...{ upwr, upsr, coverageSeconds, violationsByRule, reconnects },
    coverage: coverageOf(coverageSeconds),
    // Of no streams all have text.
    withText: texts.streams === 0 ? 1 : texts.withText / texts.streams,
    violations: Object.values(violationsByRule).reduce((sum, count) => sum + count, 0),
  };
}
