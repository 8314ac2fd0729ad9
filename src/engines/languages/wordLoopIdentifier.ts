import { RxscribeError } from '../../base/errors.ts';
import type { LanguageIdentifier } from '../languageIdentifier.ts';
import { type LocateOptions, locatePocketSphinx } from '../pocketsphinx/locate.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { collectSpeech } from './collectSpeech.ts';
import { compareLanguages } from './compareLanguages.ts';
import { type LanguageCalibration, rankLanguages } from './rankLanguages.ts';
import { WORD_LANGUAGES } from './readLanguages.ts';

export interface WordLoopOptions extends LocateOptions {
  /** Of the speech, how much is compared at most, in seconds. Default {@link WORD_LOOP_DEFAULTS}. */
  readonly maxSpeechSeconds?: number;
}

export const WORD_LOOP_DEFAULTS = { maxSpeechSeconds: 30 } as const;

/** Less speech than this tells nothing at all, in seconds. */
const MIN_SPEECH_SECONDS = 0.2;

const CALIBRATION: LanguageCalibration = {
  // Fitted to 42 clips of real speech of 8 s, by gradient-free ascent of their mean likelihood.
  offsets: { de: 0, en: -5.375, es: 4, fr: -1.125, it: 2.125 },
  temperature: 1.28,
  halfSeconds: 1,
};

/**
 * Tells German, English, French, Italian and Spanish apart by which language's commonest words explain the speech
 * best, to the ear of PocketSphinx's English acoustic model. It is weak, and its confidences are low.
 *
 * A process for each call; of the audio it keeps 30 s of speech (1 MB), and reads no further.
 *
 * @example
 * await using identifier = createWordLoopIdentifier();
 * const [best] = await identifier.identify(audio);
 */
export function createWordLoopIdentifier(options: WordLoopOptions = {}): LanguageIdentifier {
  const { maxSpeechSeconds = WORD_LOOP_DEFAULTS.maxSpeechSeconds } = options;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const identify: LanguageIdentifier['identify'] = async (audio, { signal } = {}) => {
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    either.throwIfAborted();
    using detector = await createVoiceDetector();
    const speech = await collectSpeech(audio, detector, { maxSeconds: maxSpeechSeconds, signal: either });
    if (speech.voicedSeconds < MIN_SPEECH_SECONDS) return [];
    const files = await locatePocketSphinx(options);
    const scores = await compareLanguages({ files, samples: speech.samples }, either);
    return rankLanguages(scores, speech.voicedSeconds, CALIBRATION);
  };

  const close = async () => {
    closing.abort(new RxscribeError('aborted', 'identify language: the engine is closed'));
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
