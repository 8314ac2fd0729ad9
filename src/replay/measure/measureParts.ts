import type { CueRule } from '../../transcript/cues/cueViolations.ts';
import { type Stability, type StabilityStep, stabilityOf } from '../../transcript/text/stability.ts';
import type { KeywordRecall, Measures, SpeakerErrors } from '../report/report.ts';
import type { ErrorCounts } from '../score/alignment.ts';
import { rateInterval } from '../score/bootstrap.ts';
import { errorRate, tokenErrors } from '../score/errorCounts.ts';
import { recallOf } from '../score/keywordRecall.ts';
import { coverageOf } from './coveredSeconds.ts';
import type { DelaySamples } from './delays.ts';
import { quantilesOf } from './quantiles.ts';

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
  readonly coverageSeconds: Measures['coverageSeconds'];
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
