import { RxscribeError } from '../../base/errors.ts';
import type { LanguageIdentifier } from '../languageIdentifier.ts';
import type { Recognizer } from '../recognizer.ts';
import { collectSpeech } from '../voice/collectSpeech.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { compareLanguages } from './compareLanguages.ts';
import {
  type LanguageCalibration,
  rankLanguages,
  ruledOut,
  type SpeechMeasurements,
} from './rankLanguages.ts';
import { WORD_LANGUAGES } from './soundingWords.ts';
import { recognizeByLanguage } from './wordsEvidence.ts';

export interface WordLoopOptions {
  /** Limit of the compared speech in seconds. Default {@link WORD_LOOP_DEFAULTS}. */
  readonly maxSpeechSeconds?: number;
  /**
   * A recogniser at this engine's rate, with confidences like those of Moonshine, which separates English and Spanish, as
   * far as it knows them, from other languages. It stays open. When it is not available, languages are identified without
   * it. Default: none.
   */
  readonly recognizer?: Recognizer;
}

/** Comparing speech takes up to its duration in CPU time; clear English takes half of it. */
export const WORD_LOOP_DEFAULTS = { maxSpeechSeconds: 8 } as const;

/** Seconds of voice below which no language is returned. */
const MIN_SPEECH_SECONDS = 0.2;

/** Calibration of the confidences of five languages. */
export const LANGUAGE_CALIBRATION: LanguageCalibration = {
  // Fitted by maximum likelihood to 101 clips from 17 sources, with equal weights for all languages and
  // sources.
  offsets: { de: 0, en: -0.33, es: 0.25, fr: 0.13, it: 0.25 },
  temperature: 0.22,
  halfSeconds: 1,
  // Speech has 2.4 and more, music 0.4 to 2.8, noise and tones up to 2.
  wordRate: { none: 2.1, all: 2.8 },
  evidence: {
    // English has 0.6 to 0.99, other languages 0.1 to 0.65. `even` is below the middle, since scores favour
    // English a little.
    en: { even: 0.53, slope: 25, halfWords: 1 },
    // Spanish prompts have 0.64 to 1, French and Italian ones up to 0.75, a few Italian ones 0.9.
    es: { even: 0.74, slope: 25, halfWords: 1 },
  },
  // The recogniser finds no word in 24 of 24 pieces of music, and in 2 of 182 clips of speech.
  wordless: 0.3,
};

/**
 * Creates an identifier of German, English, French, Italian and Spanish. It scores how well the most frequent
 * words of each language explain the speech, with SoundSwallower's English acoustic model; the confidences of
 * an English recogniser separate English from the rest.
 *
 * Measured on 78 clips from 17 sources, calibrated on other sources: with the recogniser, English or not is
 * right for 96 %, the first language for 64 % (chance 20 %), one of the first three for 87 %; without it for
 * 83 %, 53 % and 79 %. So confidences are low for other languages than English. Noise and tones yield no
 * languages; music yields none, or confidences below 0.4 (0.2 with the recogniser).
 * With recognisers of English and Spanish, 10 of 12 short Spanish prompts that were held back are right (2 with English only).
 *
 * Each call runs in its own process, keeps at most 8 s of speech, and reads no further. Languages that are ruled out by
 * the first half are not compared with the second: the work depends on the audio only, never on the time.
 *
 * @example
 * await using identifier = createWordLoopIdentifier({ recognizer });
 * const [best] = await identifier.identify(audio);
 */
export function createWordLoopIdentifier(options: WordLoopOptions = {}): LanguageIdentifier {
  const { maxSpeechSeconds = WORD_LOOP_DEFAULTS.maxSpeechSeconds, recognizer } = options;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const identify: LanguageIdentifier['identify'] = async (audio, { signal } = {}) => {
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    either.throwIfAborted();
    using detector = await createVoiceDetector();
    const speech = await collectSpeech(audio, detector, { maxSeconds: maxSpeechSeconds, signal: either });
    if (speech.voicedSeconds < MIN_SPEECH_SECONDS) return [];
    const { samples, voicedSeconds } = speech;
    const recognized = recognizer && (await recognizeByLanguage(recognizer, samples, either));
    const rank = (heard: SpeechMeasurements['heard']) =>
      rankLanguages({ heard, recognized, voicedSeconds }, LANGUAGE_CALIBRATION);
    return rank(
      await compareLanguages(samples, { signal: either, ruledOut: heard => ruledOut(rank(heard)) }),
    );
  };

  const close = async () => {
    closing.abort(new RxscribeError('unavailable', 'Cannot identify the language: the engine is closed.'));
    await Promise.allSettled(running);
  };

  return {
    name: 'word loops',
    languages: WORD_LANGUAGES,
    sampleRate: VOICE_SAMPLE_RATE,
    identify(audio, given) {
      const identifying = identify(audio, given);
      running.add(identifying);
      const forget = () => void running.delete(identifying);
      identifying.then(forget, forget);
      return identifying;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
