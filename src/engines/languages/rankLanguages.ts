import type { LanguageConfidence } from '../languageIdentifier.ts';

/** How scores become confidences; `test/bench/engines/languages.ts` measures whether they hold. */
export interface LanguageCalibration {
  /** Added to the score of each language: no language is explained as well by the words as every other. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Difference of two scores that makes one language e times as likely as the other. */
  readonly temperature: number;
  /** Voiced seconds of which half can be told; with less, all confidences shrink. */
  readonly halfSeconds: number;
}

/** Languages by a softmax over their scores, best first; what the confidences lack of 1 is "cannot be told". */
export function rankLanguages(
  scores: Readonly<Record<string, number>>,
  voicedSeconds: number,
  { offsets, temperature, halfSeconds }: LanguageCalibration,
): readonly LanguageConfidence[] {
  const logits = Object.entries(scores).map(
    ([language, score]) => [language, (score + (offsets[language] ?? 0)) / temperature] as const,
  );
  const highest = Math.max(...logits.map(([, logit]) => logit));
  const weights = logits.map(([language, logit]) => ({ language, weight: Math.exp(logit - highest) }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const heard = voicedSeconds / (voicedSeconds + halfSeconds);
  return weights
    .map(({ language, weight }) => ({ language, confidence: (heard * weight) / total }))
    .sort((one, other) => other.confidence - one.confidence);
}
