import { extname } from 'node:path';
import type { LanguageConfidence, LanguageIdentifier } from '../languageIdentifier.ts';
import { collectSpeech } from '../languages/collectSpeech.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { createVoiceDetector } from '../voice/voiceDetector.ts';
import { createInferenceProcess } from './inferenceProcess.ts';
import { WHISPER_SAMPLE_RATE } from './melSpectrogram.ts';
import type { HeardLanguages } from './whisperLanguages.ts';
import { readWhisperSetup, type WhisperSetup } from './whisperSetup.ts';

export interface WhisperOptions {
  /** Of kind `whisper`, of many languages. */
  readonly model: ModelDirectory;
}

/** What Whisper hears at once. */
const MAX_SECONDS = 30;
/** Less speech than this tells nothing at all. */
const MIN_SPEECH_SECONDS = 0.2;
/** With less speech than this, confidences are less in proportion. */
const SURE_SPEECH_SECONDS = 3;
/** What Whisper calls otherwise than ISO 639-1 does. */
const ISO_CODES: Readonly<Record<string, string>> = { jw: 'jv' };

/**
 * Tells languages by a multilingual Whisper model, in a process of its own with onnxruntime-web. It hears the first
 * 30 s of speech, without the pauses, and reads no further.
 *
 * A confidence is Whisper's probability of the language's token among those of all languages, times the probability
 * that somebody speaks; with less than 3 s of speech it is less in proportion, with none there are no languages.
 * Hawaiian and Cantonese, which ISO 639-1 lacks, are `haw` and `yue`.
 *
 * @throws RxscribeError `engine-missing` when the directory holds something else, or a Whisper that knows English only
 * @example
 * const model = await inspectModel('models/sherpa-onnx-whisper-tiny')
 * await using identifier = await createWhisperIdentifier({ model })
 * const [best] = await identifier.identify(audio)
 */
export async function createWhisperIdentifier({ model }: WhisperOptions): Promise<LanguageIdentifier> {
  const setup = await readWhisperSetup(model);
  const languages = Object.keys(setup.languageTokens).map(code => ISO_CODES[code] ?? code);
  const entry = new URL(`./whisperChild${extname(import.meta.filename)}`, import.meta.url);
  const whisper = createInferenceProcess<WhisperSetup, Int16Array, HeardLanguages>(entry, setup);
  const close = () => whisper.close();
  return {
    name: 'whisper',
    languages,
    sampleRate: WHISPER_SAMPLE_RATE,
    async identify(audio, { signal } = {}) {
      signal?.throwIfAborted();
      using detector = await createVoiceDetector();
      const speech = await collectSpeech(audio, detector, { maxSeconds: MAX_SECONDS, signal });
      if (speech.voicedSeconds < MIN_SPEECH_SECONDS) return [];
      const heard = await whisper.run(speech.samples, signal);
      const share = Math.min(1, speech.voicedSeconds / SURE_SPEECH_SECONDS);
      return ranked(languages, heard, share);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function ranked(
  languages: readonly string[],
  { probabilities, noSpeech }: HeardLanguages,
  share: number,
): readonly LanguageConfidence[] {
  return languages
    .map((language, index) => ({ language, confidence: share * (1 - noSpeech) * probabilities[index]! }))
    .sort((one, other) => other.confidence - one.confidence);
}
