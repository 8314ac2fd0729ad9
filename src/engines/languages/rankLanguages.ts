import type { LanguageConfidence } from '../languageIdentifier.ts';
import type { RecognizedWord } from '../recognizer.ts';
import { type EnglishCalibration, englishEvidence } from './englishEvidence.ts';
import type { HeardWords } from './wordLoopDecoder.ts';

/** The results for a stretch of speech. */
export interface HeardSpeech {
  /** By the words of each language. */
  readonly heard: Readonly<Record<string, HeardWords>>;
  /** By an English recogniser; absent without one. */
  readonly english?: readonly RecognizedWord[];
  readonly voicedSeconds: number;
}

/** How scores become confidences; `test/bench/engines/languages.ts` measures whether they hold. */
export interface LanguageCalibration {
  /** Added to the score of each language: no language is explained as well by the words as every other. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Difference of two scores that makes one language e times as likely as the other. */
  readonly temperature: number;
  /** Voiced seconds of which half can be told; with less, all confidences shrink. */
  readonly halfSeconds: number;
  /** Words a voiced second, on the mean of all languages: with no more than `none` nobody speaks, with `all` somebody does. */
  readonly wordRate: { readonly none: number; readonly all: number };
  readonly english: EnglishCalibration;
  /** Factor of all confidences where a recogniser hears no word, 0 to 1: music has none, speech has some. */
  readonly wordless: number;
}

/**
 * Returns languages by a softmax over their scores, best first; what the confidences lack of 1 is "cannot be told". Empty
 * when there are so few words that what was taken for a voice is none, unless a recogniser hears words. What an English
 * recogniser made of the speech counts for English or against it.
 */
export function rankLanguages(
  speech: HeardSpeech,
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

function logitsOf({ heard, english = [] }: HeardSpeech, calibration: LanguageCalibration) {
  const { offsets, temperature } = calibration;
  const logits = Object.entries(heard).map(([language, { score, words }]) => ({
    language,
    logit: words === 0 ? Number.NEGATIVE_INFINITY : (score + (offsets[language] ?? 0)) / temperature,
  }));
  const evidence = englishEvidence(english, calibration.english);
  return logits.map(({ language, logit }) => ({
    language,
    logit: language === 'en' ? logit + evidence : logit,
  }));
}

/** How likely it is speech, and enough of it: 0 to 1. */
function speechShare(speech: HeardSpeech, calibration: LanguageCalibration): number {
  const { voicedSeconds } = speech;
  return voiceShare(speech, calibration) * (voicedSeconds / (voicedSeconds + calibration.halfSeconds));
}

/** Returns the probability that somebody speaks: 1 where a recogniser hears words, else by words a second. */
function voiceShare(
  { heard, english, voicedSeconds }: HeardSpeech,
  { wordRate, wordless }: LanguageCalibration,
): number {
  const all = Object.values(heard);
  const words = all.reduce((sum, each) => sum + each.words, 0) / all.length;
  if (words > 0 && english && english.length > 0) return 1;
  const share = (words / voicedSeconds - wordRate.none) / (wordRate.all - wordRate.none);
  return (english ? wordless : 1) * Math.min(1, Math.max(0, share));
}
