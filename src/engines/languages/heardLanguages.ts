import { FoundLanguages } from '../foundLanguage.ts';
import type { LanguageConfidence, LanguageIdentifier } from '../languageIdentifier.ts';
import type { Recognizer } from '../recognizer.ts';
import { collectSpeech } from '../voice/collectSpeech.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';

export interface HeardLanguagesOptions {
  readonly name: string;
  /** ISO 639-1 codes of the languages that the engine distinguishes. */
  readonly languages: readonly string[];
  /** Returns the languages in speech without pauses, mono at 16 kHz, with their shares of it, most spoken first. */
  readonly hear: (samples: Int16Array, signal?: AbortSignal) => Promise<readonly LanguageConfidence[]>;
  readonly close?: () => Promise<void>;
}

/** Seconds of speech that are heard: the beginning may be in another language than the rest. */
const MAX_SECONDS = 90;
/** Seconds of speech below which no language is returned. */
const MIN_SPEECH_SECONDS = 0.2;
/** Seconds of speech below which confidences shrink in proportion. */
const SURE_SPEECH_SECONDS = 3;

/**
 * Creates an identifier with an engine that hears the language of speech. It uses the first 90 s without pauses (3 MB), and
 * reads no further. A confidence is the share of the speech; with less than 3 s it shrinks in proportion.
 */
export function createHeardLanguages(options: HeardLanguagesOptions): LanguageIdentifier {
  const { name, languages, hear, close = async () => {} } = options;
  return {
    ...{ name, languages, sampleRate: VOICE_SAMPLE_RATE },
    async identify(audio, { signal } = {}) {
      signal?.throwIfAborted();
      using detector = await createVoiceDetector();
      const speech = await collectSpeech(audio, detector, { maxSeconds: MAX_SECONDS, signal });
      if (speech.voicedSeconds < MIN_SPEECH_SECONDS) return [];
      const sure = Math.min(1, speech.voicedSeconds / SURE_SPEECH_SECONDS);
      const heard = await hear(speech.samples, signal);
      return heard.map(({ language, confidence }) => ({ language, confidence: sure * confidence }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Creates an identifier with a recogniser that finds languages, which stays open. */
export function createRecognizerIdentifier(recognizer: Recognizer): LanguageIdentifier {
  return createHeardLanguages({
    name: recognizer.name,
    languages: recognizer.capabilities.languages,
    async hear(samples, signal) {
      const found = new FoundLanguages();
      for (const final of await recognizer.recognize([samples], { signal })) found.add(final);
      return found.shares();
    },
  });
}
