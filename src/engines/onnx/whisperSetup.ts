import { readFile } from 'node:fs/promises';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { readOnnxMetadata } from '../models/onnxFile.ts';

/** Files and constants of a Whisper model. */
export interface WhisperSetup {
  readonly encoder: string;
  readonly decoder: string;
  /** Bands of the spectrogram: 80 or 128. */
  readonly bands: number;
  readonly startToken: number;
  readonly noSpeechToken: number;
  /** Token ids by Whisper's language codes. */
  readonly languageTokens: Readonly<Record<string, number>>;
  /** Cache sizes of a decoder exported by sherpa-onnx; exports of Hugging Face declare them as inputs. */
  readonly memory?: DecoderMemory;
}

export interface DecoderMemory {
  readonly layers: number;
  readonly context: number;
  readonly state: number;
}

/**
 * Reads the setup of a Whisper model exported by sherpa-onnx (from the metadata of the encoder) or by Hugging
 * Face (from config.json and generation_config.json).
 *
 * @throws RxscribeError `engine-missing` for another model, or one for English only
 */
export async function readWhisperSetup(model: ModelDirectory): Promise<WhisperSetup> {
  const { kind, path, files } = model;
  const { encoder, decoder = files.decoderMerged } = files;
  if (kind !== 'whisper' || !encoder || !decoder)
    throw unusable(path, `it is of kind '${kind}', not 'whisper'`);
  const setup = files.generationConfig ? await ofHuggingFace(model) : await ofSherpa(encoder, path);
  const tokens = Object.values(setup.languageTokens);
  if (tokens.length < 2) throw unusable(path, 'it is a Whisper model for English only');
  const numbers = [setup.bands, setup.startToken, setup.noSpeechToken, ...tokens];
  if (!numbers.every(number => Number.isSafeInteger(number) && number > 0)) {
    throw unusable(path, 'its numbers of bands and tokens are invalid');
  }
  return { ...setup, encoder, decoder };
}

type Layout = Omit<WhisperSetup, 'encoder' | 'decoder'>;

async function ofHuggingFace({ files }: ModelDirectory): Promise<Layout> {
  const config = await readJsonFile(files.config, 'config.json');
  const generation = await readJsonFile(files.generationConfig, 'generation_config.json');
  const tokens = Object.entries((generation.lang_to_id ?? {}) as Readonly<Record<string, unknown>>);
  return {
    bands: Number(config.num_mel_bins),
    startToken: Number(generation.decoder_start_token_id ?? config.decoder_start_token_id),
    // In all Whisper vocabularies it is the token before.
    noSpeechToken: Number(generation.no_timestamps_token_id) - 1,
    languageTokens: Object.fromEntries(
      tokens.map(([name, token]) => [name.replace(/[<|>]/g, ''), Number(token)]),
    ),
  };
}

async function ofSherpa(encoder: string, path: string): Promise<Layout> {
  const metadata = await readOnnxMetadata(encoder);
  const number = (key: string) => Number(metadata.get(key));
  if (metadata.get('is_multilingual') === '0') {
    throw unusable(path, 'it is a Whisper model for English only');
  }
  const tokens = metadata.get('all_language_tokens')?.split(',') ?? [];
  const codes = metadata.get('all_language_codes')?.split(',') ?? [];
  return {
    bands: number('n_mels'),
    startToken: number('sot'),
    noSpeechToken: number('no_speech'),
    languageTokens: Object.fromEntries(codes.map((code, index) => [code, Number(tokens[index])])),
    memory: { layers: number('n_text_layer'), context: number('n_text_ctx'), state: number('n_text_state') },
  };
}

function unusable(path: string, reason: string): RxscribeError {
  return new RxscribeError('engine-missing', `Cannot load the language model '${path}': ${reason}.`);
}

/**
 * Reads a JSON object of a model directory.
 *
 * @throws RxscribeError `engine-missing` when it is missing or not an object
 */
export async function readJsonFile(
  path: string | undefined,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (path === undefined)
    throw new RxscribeError('engine-missing', `Cannot load the model: its ${what} is missing.`);
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    throw new Error('it is not an object');
  } catch (cause) {
    const message = `Cannot read '${path}' as JSON: ${reasonOf(cause)}.`;
    throw new RxscribeError('engine-missing', message, { cause });
  }
}
