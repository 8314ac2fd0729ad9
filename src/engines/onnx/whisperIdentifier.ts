import type { LanguageIdentifier } from '../languageIdentifier.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { collectSpeech } from '../voice/collectSpeech.ts';
import { createVoiceDetector } from '../voice/voiceDetector.ts';
import { WHISPER_FRAMES, WHISPER_SAMPLE_RATE } from './melSpectrogram.ts';
import type { WhisperMethods } from './whisperChild.ts';
import { readWhisperSetup } from './whisperSetup.ts';

export interface WhisperOptions {
  /** Multilingual model of kind `whisper`. */
  readonly model: ModelDirectory;
}

/** Number of 30 s windows: the beginning may be in another language than the rest. */
const MAX_WINDOWS = 3;
const MAX_SECONDS = (MAX_WINDOWS * WHISPER_FRAMES) / WHISPER_SAMPLE_RATE;
/** Seconds of speech below which no language is returned. */
const MIN_SPEECH_SECONDS = 0.2;
/** Seconds of speech below which confidences shrink in proportion. */
const SURE_SPEECH_SECONDS = 3;
/** ISO 639-1 codes that differ from those of Whisper. */
const ISO_CODES: Readonly<Record<string, string>> = { jw: 'jv' };

/**
 * Creates an identifier with a multilingual Whisper model, in a child process with onnxruntime-web. It uses
 * the first 90 s of speech without pauses (3 MB), in windows of 30 s, and reads no further.
 *
 * A confidence is the probability of the language's token among those of all languages, times the probability
 * of speech, as a mean over the windows. With less than 3 s of speech it shrinks in proportion; without
 * speech there are no languages. Hawaiian and Cantonese, which ISO 639-1 lacks, are `haw` and `yue`.
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
  const entry = entryBeside(import.meta, 'whisperChild');
  const whisper = createRestartingWork(() =>
    startWork<WhisperMethods>(entry, { task: 'identify the language', setup }),
  );
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
      const confidences = languages.map(() => 0);
      const sure = Math.min(1, speech.voicedSeconds / SURE_SPEECH_SECONDS);
      for (const window of windowsOf(speech.samples)) {
        const { probabilities, noSpeech } = await whisper.call('identify', [window], { signal });
        const weight = (sure * (1 - noSpeech) * window.length) / speech.samples.length;
        for (const [index, probability] of probabilities.entries())
          confidences[index]! += weight * probability;
      }
      return languages
        .map((language, index) => ({ language, confidence: confidences[index]! }))
        .sort((one, other) => other.confidence - one.confidence);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function* windowsOf(samples: Int16Array): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += WHISPER_FRAMES) yield samples.subarray(at, at + WHISPER_FRAMES);
}
