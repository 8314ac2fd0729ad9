import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { onnxGraph, onnxModel, type Tensor } from '../../helpers/onnxModel.ts';

export type WhisperLayout = 'sherpa-onnx' | 'Hugging Face' | 'Hugging Face, merged';

export interface WhisperModelOptions {
  readonly layout: WhisperLayout;
  /** Default 80. */
  readonly bands?: number;
  /** Logit of the token that nobody speaks; those of languages are some tens. Default -50. */
  readonly noSpeech?: number;
  /** Default: a directory that is removed when the test is over. */
  readonly path?: string;
  /** Metadata that is otherwise than it should be. */
  readonly metadata?: Readonly<Record<string, string | number>>;
}

/** Token numbers; the model speaks no others. */
const TOKENS = { start: 1, en: 2, de: 3, jw: 4, noSpeech: 5, noTimestamps: 6 } as const;
const LANGUAGES = ['en', 'de', 'jw'] as const;
const VOCABULARY = 7;
/** Sizes of its second dimension, which the exports of sherpa-onnx store. */
const [LAYERS, CONTEXT] = [2, 5];

/**
 * A Whisper whose language depends on the pitch of the sound: English in the lowest fifth of the bands, German in the two
 * or three around 5 kHz, Javanese nowhere. What it says after any other token than that of the start is Javanese.
 */
export async function whisperModel(options: WhisperModelOptions): Promise<ModelDirectory> {
  const { layout, bands = 80 } = options;
  const path = options.path ?? (await temporaryDirectory());
  const put = (name: string, content: string | Buffer) => writeFile(join(path, name), content);
  if (layout === 'sherpa-onnx') {
    const metadata = { ...sherpaMetadata(bands), ...options.metadata };
    await put('tiny-encoder.onnx', encoder(['n_layer_cross_k', 'n_layer_cross_v'], 'mel', bands, metadata));
    await put('tiny-decoder.onnx', sherpaDecoder(options));
    await put('tiny-tokens.txt', '');
  } else {
    const merged = layout === 'Hugging Face, merged';
    await put('encoder_model.onnx', encoder(['last_hidden_state'], 'input_features', bands));
    await put(`decoder_model${merged ? '_merged' : ''}.onnx`, huggingFaceDecoder(options, merged));
    await put('config.json', JSON.stringify({ num_mel_bins: bands, decoder_start_token_id: TOKENS.start }));
    const languages = LANGUAGES.map(code => [`<|${code}|>`, TOKENS[code]]);
    const generation = {
      lang_to_id: Object.fromEntries(languages),
      no_timestamps_token_id: TOKENS.noTimestamps,
    };
    await put('generation_config.json', JSON.stringify(generation));
  }
  return inspectModel(path);
}

function sherpaMetadata(bands: number): Record<string, string | number> {
  return {
    model_type: 'whisper-tiny',
    is_multilingual: 1,
    n_mels: bands,
    n_text_layer: LAYERS,
    n_text_ctx: CONTEXT,
    n_text_state: bands,
    sot: TOKENS.start,
    no_speech: TOKENS.noSpeech,
    all_language_tokens: LANGUAGES.map(code => TOKENS[code]).join(','),
    all_language_codes: LANGUAGES.join(','),
  };
}

/** The mean of each band, as 1 x 1 x bands. */
function encoder(
  outputs: readonly string[],
  input: string,
  bands: number,
  metadata: Readonly<Record<string, string | number>> = {},
): Buffer {
  const infos = outputs.map(name => `float[1, 1, ${bands}] ${name}`);
  return onnxModel({
    ...onnxGraph(`
      (float[1, ${bands}, 3000] ${input}) => (${infos.join(', ')})
      mean = ReduceMean<axes = [2], keepdims = 1>(${input})
      ${outputs.map(name => `${name} = Transpose<perm = [0, 2, 1]>(mean)`).join('\n')}
    `),
    metadata,
  });
}

/** A decoder whose logits are the sum of the audio features and of the tokens so far. */
function decoder(
  options: WhisperModelOptions,
  names: { readonly heard: string; readonly tokens: string },
  inputs: readonly string[],
): Buffer {
  return onnxModel({
    ...onnxGraph(`
      (${inputs.join(', ')}) => (float[batch, length, ${VOCABULARY}] logits)
      heard = MatMul(${names.heard}, listen)
      said = Gather(follow, ${names.tokens})
      logits = Add(heard, said)
    `),
    weights: weights(options),
  });
}

function weights({ bands = 80, noSpeech = -50 }: WhisperModelOptions): Tensor[] {
  // Relative to the mean of all bands: loudness does not matter.
  const english = centred(bands, band => band < bands / 5);
  const german = centred(bands, band => Math.abs(band + 0.5 - 0.85 * bands) < 1.5);
  const listen = english.map((weight, band) => [0, 0, weight, german[band]!, 0, 0, 0]);
  const follow = Array.from({ length: VOCABULARY }, (_, token) =>
    token === TOKENS.start ? [-50, -50, 0, 0, -50, noSpeech, -50] : [0, 0, 0, 0, 99_999, 0, 0],
  );
  return [
    { name: 'listen', type: 'float', shape: [bands, VOCABULARY], values: listen.flat() },
    { name: 'follow', type: 'float', shape: [VOCABULARY, VOCABULARY], values: follow.flat() },
  ];
}

/** Weights of the bands that belong to something, which sum to 0 with those of the others. */
function centred(bands: number, belongs: (band: number) => boolean): readonly number[] {
  const own = Array.from({ length: bands }, (_, band) => (belongs(band) ? 1 : 0));
  const count = own.reduce<number>((sum, each) => sum + each, 0);
  return own.map(each => 40 * (each / count - 1 / bands));
}

function huggingFaceDecoder(options: WhisperModelOptions, merged: boolean): Buffer {
  const { bands = 80 } = options;
  const past = ['past_key_values.0.decoder.key', 'past_key_values.0.encoder.value'];
  return decoder(options, { heard: 'encoder_hidden_states', tokens: 'input_ids' }, [
    'int64[batch, length] input_ids',
    `float[batch, heard, ${bands}] encoder_hidden_states`,
    ...(merged ? past.map(name => `float[batch, 2, past, 4] ${name}`) : []),
  ]);
}

function sherpaDecoder(options: WhisperModelOptions): Buffer {
  const { bands = 80 } = options;
  const memory = `float[${LAYERS}, n, ${CONTEXT}, ${bands}]`;
  return decoder(options, { heard: 'n_layer_cross_k', tokens: 'tokens' }, [
    'int64[n, length] tokens',
    `${memory} in_n_layer_self_k_cache`,
    `${memory} in_n_layer_self_v_cache`,
    `float[1, n, ${bands}] n_layer_cross_k`,
    `float[1, n, ${bands}] n_layer_cross_v`,
    'int64[1] offset',
  ]);
}
