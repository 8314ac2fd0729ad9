import { RxscribeError } from '../../base/errors.ts';
import { FoundLanguages } from '../foundLanguage.ts';
import type { LanguageIdentifier } from '../languageIdentifier.ts';
import { createHeardLanguages } from '../languages/heardLanguages.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { readOnnxMetadata } from '../models/onnxFile.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import type { LanguageMethods } from './languageChild.ts';
import { SAMPLE_RATE } from './tasks.ts';

export interface WhisperOptions {
  /** Multilingual model of kind `whisper`, as sherpa-onnx exports it. */
  readonly model: ModelDirectory;
}

/** Seconds of speech that give one vote. */
const WINDOW_SECONDS = 10;
/** ISO 639-1 codes that differ from those of Whisper. */
const ISO_CODES: Readonly<Record<string, string>> = { jw: 'jv' };

/**
 * Creates an identifier with a multilingual Whisper model, in a child process with sherpa-onnx. It uses the first 90 s of
 * speech without pauses (3 MB), in windows of 10 s, and reads no further.
 *
 * A confidence is the share of the speech in whose windows the model heard the language. With less than 3 s of speech it
 * shrinks in proportion; without speech there are no languages. Hawaiian and Cantonese, which ISO 639-1 lacks, are `haw` and
 * `yue`.
 *
 * @throws RxscribeError `engine-missing` when the directory holds something else, or a Whisper that knows English only
 * @example
 * const model = await inspectModel('models/sherpa-onnx-whisper-tiny')
 * await using identifier = await createWhisperIdentifier({ model })
 * const [best] = await identifier.identify(audio)
 */
export async function createWhisperIdentifier({ model }: WhisperOptions): Promise<LanguageIdentifier> {
  const { encoder, languages } = await readLanguages(model);
  const setup = { encoder, decoder: model.files.decoder };
  const entry = entryBeside(import.meta, 'languageChild');
  const whisper = createRestartingWork(() =>
    startWork<LanguageMethods>(entry, { task: 'identify the language', setup }),
  );
  async function hear(samples: Int16Array, signal?: AbortSignal) {
    const found = new FoundLanguages();
    for (const window of windowsOf(samples)) {
      const language = isoCode(await whisper.call('identify', [window], { signal }));
      if (!languages.includes(language)) {
        throw new RxscribeError('engine-failed', `Cannot identify languages with the model '${model.path}'.`);
      }
      found.add({ type: 'final', language, startFrame: 0, endFrame: window.length, words: [] });
    }
    return found.shares();
  }
  return createHeardLanguages({ name: 'whisper', languages, hear, close: () => whisper.close() });
}

const isoCode = (code: string) => ISO_CODES[code] ?? code;

async function readLanguages({ kind, path, files: { encoder } }: ModelDirectory) {
  const unusable = (reason: string) =>
    new RxscribeError('engine-missing', `Cannot load the language model '${path}': ${reason}.`);
  if (kind !== 'whisper' || !encoder) throw unusable(`it is of kind '${kind}', not 'whisper'`);
  const metadata = await readOnnxMetadata(encoder);
  const languages = metadata.get('all_language_codes')?.split(',').map(isoCode) ?? [];
  if (metadata.get('is_multilingual') === '0' || languages.length < 2) {
    throw unusable('it is a Whisper model for English only');
  }
  return { encoder, languages };
}

function* windowsOf(samples: Int16Array): Generator<Int16Array> {
  const frames = WINDOW_SECONDS * SAMPLE_RATE;
  for (let at = 0; at < samples.length; at += frames) yield samples.subarray(at, at + frames);
}
