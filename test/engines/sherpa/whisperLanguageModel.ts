import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { onnxGraph, onnxModel, type Tensor } from '../../helpers/onnxModel.ts';

export interface WhisperModelOptions {
  /** Default: a directory that is removed when the test is over. */
  readonly path?: string;
  /** Metadata that is otherwise than it should be. */
  readonly metadata?: Readonly<Record<string, string | number>>;
}

/** Token numbers; the model speaks no others. */
const TOKENS = { start: 1, en: 2, de: 3, jw: 4, noSpeech: 5, noTimestamps: 6 } as const;
const LANGUAGES = ['en', 'de', 'jw'] as const;
const VOCABULARY = 7;
const BANDS = 80;
/** Sizes of its second dimension, which the exports of sherpa-onnx store. */
const [LAYERS, CONTEXT] = [2, 5];

/**
 * A Whisper whose language depends on the pitch of the sound: English in the lowest fifth of the bands, German in the two
 * or three around 5 kHz, Javanese nowhere. What it says after any other token than that of the start is Javanese.
 */
export async function whisperModel(options: WhisperModelOptions = {}): Promise<ModelDirectory> {
  const path = options.path ?? (await temporaryDirectory());
  const put = (name: string, content: string | Buffer) => writeFile(join(path, name), content);
  await put('tiny-encoder.onnx', encoder({ ...METADATA, ...options.metadata }));
  await put('tiny-decoder.onnx', decoder());
  await put('tiny-tokens.txt', '');
  return inspectModel(path);
}

const METADATA = {
  model_type: 'whisper-tiny',
  is_multilingual: 1,
  n_mels: BANDS,
  n_audio_ctx: 1500,
  n_text_layer: LAYERS,
  n_text_ctx: CONTEXT,
  n_text_state: BANDS,
  n_vocab: VOCABULARY,
  sot: TOKENS.start,
  sot_index: 0,
  sot_sequence: `${TOKENS.start},${TOKENS.en}`,
  eot: TOKENS.noTimestamps,
  blank_id: 0,
  translate: TOKENS.noTimestamps,
  transcribe: TOKENS.noTimestamps,
  sot_prev: TOKENS.noTimestamps,
  sot_lm: TOKENS.noTimestamps,
  no_timestamps: TOKENS.noTimestamps,
  no_speech: TOKENS.noSpeech,
  all_language_tokens: LANGUAGES.map(code => TOKENS[code]).join(','),
  all_language_codes: LANGUAGES.join(','),
};

/** The mean of each band, as 1 x 1 x bands. */
function encoder(metadata: Readonly<Record<string, string | number>>): Buffer {
  const names = ['n_layer_cross_k', 'n_layer_cross_v'];
  const outputs = names.map(name => `float[1, 1, ${BANDS}] ${name}`);
  return onnxModel({
    ...onnxGraph(`
      (float[1, ${BANDS}, frames] mel) => (${outputs.join(', ')})
      mean = ReduceMean<axes = [2], keepdims = 1>(mel)
      ${names.map(name => `${name} = Transpose<perm = [0, 2, 1]>(mean)`).join('\n')}
    `),
    metadata,
  });
}

/** A decoder whose logits are the sum of the audio features and of the tokens so far. */
function decoder(): Buffer {
  const memory = `float[${LAYERS}, n, ${CONTEXT}, ${BANDS}]`;
  return onnxModel({
    ...onnxGraph(`
      (int64[n, length] tokens, ${memory} in_n_layer_self_k_cache, ${memory} in_n_layer_self_v_cache, float[1, n, ${BANDS}] n_layer_cross_k, float[1, n, ${BANDS}] n_layer_cross_v, int64[1] offset) => (float[batch, length, ${VOCABULARY}] logits, ${memory} out_n_layer_self_k_cache, ${memory} out_n_layer_self_v_cache)
      heard = MatMul(n_layer_cross_k, listen)
      said = Gather(follow, tokens)
      logits = Add(heard, said)
      out_n_layer_self_k_cache = Identity(in_n_layer_self_k_cache)
      out_n_layer_self_v_cache = Identity(in_n_layer_self_v_cache)
    `),
    weights: weights(),
  });
}

function weights(): Tensor[] {
  // Relative to the mean of all bands: loudness does not matter.
  const english = centred(band => band < BANDS / 5);
  const german = centred(band => Math.abs(band + 0.5 - 0.85 * BANDS) < 1.5);
  const listen = english.map((weight, band) => [0, 0, weight, german[band]!, 0, 0, 0]);
  const follow = Array.from({ length: VOCABULARY }, (_, token) =>
    token === TOKENS.start ? [-50, -50, 0, 0, -50, -50, -50] : [0, 0, 0, 0, 99_999, 0, 0],
  );
  return [
    { name: 'listen', type: 'float', shape: [BANDS, VOCABULARY], values: listen.flat() },
    { name: 'follow', type: 'float', shape: [VOCABULARY, VOCABULARY], values: follow.flat() },
  ];
}

/** Weights of the bands that belong to something, which sum to 0 with those of the others. */
function centred(belongs: (band: number) => boolean): readonly number[] {
  const own = Array.from({ length: BANDS }, (_, band) => (belongs(band) ? 1 : 0));
  const count = own.reduce<number>((sum, each) => sum + each, 0);
  return own.map(each => 40 * (each / count - 1 / BANDS));
}
