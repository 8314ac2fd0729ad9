import type { LanguageConfidence } from '../languageIdentifier.ts';
import type { WordFit } from './wordLoopDecoder.ts';
import { type RecognizedByLanguage, type WordsCalibration, wordsEvidence } from './wordsEvidence.ts';

/** The measurements of a stretch of speech. */
export interface SpeechMeasurements {
  /** Fit of the words of each language. */
  readonly heard: Readonly<Record<string, WordFit>>;
  /** Words of recognisers. Default: none. */
  readonly recognized?: RecognizedByLanguage;
  readonly voicedSeconds: number;
}

/** Constants that turn scores into confidences, measured by `test/bench/engines/languages.ts`. */
export interface LanguageCalibration {
  /** Constants added to the scores, since the word lists do not fit all languages equally well. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Difference of two scores that makes one language e times as likely as the other. */
  readonly temperature: number;
  /** Voiced seconds at which confidences are halved; they shrink with less speech. */
  readonly halfSeconds: number;
  /**
   * Limits of the words in a voiced second, on the mean of all languages: up to `none` nobody speaks, from
   * `all` on somebody does.
   */
  readonly wordRate: { readonly none: number; readonly all: number };
  /** By the language of a recogniser. */
  readonly evidence: Readonly<Record<string, WordsCalibration>>;
  /** Factor of all confidences when recognisers find no word, 0 to 1: music has none, speech has some. */
  readonly wordless: number;
}

/**
 * Returns languages with confidences by a softmax over their scores, best first. The confidences sum to less
 * than 1 when the language is uncertain. Empty when there are too few words for speech, unless a recogniser
 * found some. The words of a recogniser count for or against its language.
 */
export function rankLanguages(
  speech: SpeechMeasurements,
  calibration: LanguageCalibration,
): readonly LanguageConfidence[] {
  const tellable = speechShare(speech, calibration);
  if (tellable === 0) return [];
  const logits = logitsOf(speech, calibration);
  const highest = Math.max(...logits.map(({ logit }) => logit));
  const weights = logits.map(({ language, logit }) => ({ language, weight: Math.exp(logit - highest) }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return weights
    .map(({ language, weight }) => ({ language, confidence: (tellable * weight) / total }))
    .sort((one, other) => other.confidence - one.confidence);
}

function logitsOf({ heard, recognized = {} }: SpeechMeasurements, calibration: LanguageCalibration) {
  const { offsets, temperature, evidence } = calibration;
  return Object.entries(heard).map(([language, { score, words }]) => {
    const own = evidence[language];
    const odds = own ? wordsEvidence(recognized[language] ?? [], own) : 0;
    const fit = words === 0 ? Number.NEGATIVE_INFINITY : (score + (offsets[language] ?? 0)) / temperature;
    return { language, logit: fit + odds };
  });
}

/** Returns the probability of enough speech, 0 to 1. */
function speechShare(speech: SpeechMeasurements, calibration: LanguageCalibration): number {
  const { voicedSeconds } = speech;
  return voiceShare(speech, calibration) * (voicedSeconds / (voicedSeconds + calibration.halfSeconds));
}

/**
 * Returns the probability that somebody speaks: 1 when a recogniser finds words, otherwise by the rate of
 * words.
 */
function voiceShare(
  { heard, recognized = {}, voicedSeconds }: SpeechMeasurements,
  { wordRate, wordless }: LanguageCalibration,
): number {
  const all = Object.values(heard);
  const words = all.reduce((sum, { words, share = 1 }) => sum + words / share, 0) / all.length;
  const found = Object.values(recognized);
  if (words > 0 && found.some(each => each.length > 0)) return 1;
  const share = (words / voicedSeconds - wordRate.none) / (wordRate.all - wordRate.none);
  return (found.length > 0 ? wordless : 1) * Math.min(1, Math.max(0, share));
}

/** Share of all confidences below which more speech would hardly make a language the first. */
const RULED_OUT_SHARE = 0.01;

/** Returns the languages that are certainly not spoken; none without any ranked language. */
export function ruledOut(ranked: readonly LanguageConfidence[]): readonly string[] {
  const total = ranked.reduce((sum, { confidence }) => sum + confidence, 0);
  return ranked
    .filter(({ confidence }) => confidence < RULED_OUT_SHARE * total)
    .map(({ language }) => language);
}
