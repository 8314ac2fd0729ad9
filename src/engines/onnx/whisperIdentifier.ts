import type { LanguageIdentifier } from '../languageIdentifier.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { startChildProcess } from '../process/childProcess.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import { collectSpeech } from '../voice/collectSpeech.ts';
import { createVoiceDetector } from '../voice/voiceDetector.ts';
import { WHISPER_FRAMES, WHISPER_SAMPLE_RATE } from './melSpectrogram.ts';
import type { WhisperMethods } from './whisperChild.ts';
import { readWhisperSetup } from './whisperSetup.ts';

export interface WhisperOptions {
  /** Of kind `whisper`, of many languages. */
  readonly model: ModelDirectory;
}

/** Of what Whisper hears at once: a beginning may be in another language than the rest. */
const MAX_WINDOWS = 3;
const MAX_SECONDS = (MAX_WINDOWS * WHISPER_FRAMES) / WHISPER_SAMPLE_RATE;
/** Less speech than this tells nothing at all. */
const MIN_SPEECH_SECONDS = 0.2;
/** With less speech than this, confidences are less in proportion. */
const SURE_SPEECH_SECONDS = 3;
/** What Whisper calls otherwise than ISO 639-1 does. */
const ISO_CODES: Readonly<Record<string, string>> = { jw: 'jv' };

/**
 * Tells languages by a multilingual Whisper model, in a process of its own with onnxruntime-web. It hears the first
 * 90 s of speech (3 MB), without the pauses, 30 s at once, and reads no further.
 *
 * A confidence is Whisper's probability of the language's token among those of all languages, times the probability
 * that somebody speaks, on the mean of all that is heard; with less than 3 s of speech it is less in proportion, with none there are no languages.
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
  const entry = entryBeside(import.meta, 'whisperChild');
  const whisper = createRestartingWork(() =>
    startWork<WhisperMethods>(startChildProcess(entry), { task: 'identify the language', setup }),
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
