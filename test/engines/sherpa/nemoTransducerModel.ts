import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
import { hearing, librosaBand, MEL_BINS, SUBSAMPLING, TOKENS } from '../../helpers/toneModels.ts';
import { RARE_TOKEN } from './transducerModel.ts';

/** NeMo's blank is the last. The rare one sounds as `pha` does, and is a little less likely. */
export const NEMO_TOKENS = [...TOKENS.slice(1), RARE_TOKEN, '<blk>'];
const SOUNDS = NEMO_TOKENS.map(token => TOKENS.indexOf(token === RARE_TOKEN ? 'pha' : token));
const SIZE = NEMO_TOKENS.length;
const BLANK = SIZE - 1;

/** As {@link hearing} takes it, of the features that NeMo's models are given. */
const LOUD = -2;
/** By how much the rare token is less likely, as a logarithm. */
const RARITY = 1;

/** Hears whole utterances, as NeMo's export does. */
export function nemoEncoder(): OnnxModel {
  const rarity = NEMO_TOKENS.map(token => (token === RARE_TOKEN ? RARITY : 0));
  return {
    ...onnxGraph(`
      (float[batch, ${MEL_BINS}, frames] audio_signal, int64[batch] length)
        => (float[batch, ${SIZE}, steps] encoded, int64[batch] encoded_lengths)
      heard = Conv<strides = [${SUBSAMPLING}]>(audio_signal, weights, bias)
      all = Gather<axis = 1>(heard, sounds)
      encoded = Sub(all, rarity)
      encoded_lengths = Div(length, subsampling)
    `),
    weights: [
      ...hearing(librosaBand, LOUD),
      { name: 'sounds', type: 'int64', shape: [SIZE], values: SOUNDS },
      { name: 'rarity', type: 'float', shape: [SIZE, 1], values: rarity },
      { name: 'subsampling', type: 'int64', shape: [1], values: [SUBSAMPLING] },
    ],
    metadata: {
      ...{ model_type: 'EncDecRNNTBPEModel', vocab_size: SIZE - 1, subsampling_factor: SUBSAMPLING },
      ...{ normalize_type: '', pred_rnn_layers: 1, pred_hidden: 1 },
    },
  };
}

/** Hears audio piece by piece. */
export function nemoStreamingEncoder(): OnnxModel {
  const whole = nemoEncoder();
  const caches = onnxGraph(`
    (float[batch, 1, 1, 1] cache_last_channel, float[batch, 1, 1, 1] cache_last_time, int64[batch] cache_length)
      => (float[batch, 1, 1, 1] cache_last_channel_next, float[batch, 1, 1, 1] cache_last_time_next,
          int64[batch] cache_length_next)
    cache_last_channel_next = Identity(cache_last_channel)
    cache_last_time_next = Identity(cache_last_time)
    cache_length_next = Identity(cache_length)
  `);
  return {
    ...whole,
    inputs: [...whole.inputs, ...caches.inputs],
    outputs: [...whole.outputs, ...caches.outputs],
    nodes: [...whole.nodes, ...caches.nodes],
    metadata: {
      ...whole.metadata,
      ...{ window_size: 2 * SUBSAMPLING, chunk_shift: 2 * SUBSAMPLING },
      ...{ cache_last_channel_dim1: 1, cache_last_channel_dim2: 1, cache_last_channel_dim3: 1 },
      ...{ cache_last_time_dim1: 1, cache_last_time_dim2: 1, cache_last_time_dim3: 1 },
    },
  };
}

/** Knows the last token, so that one that goes on is said once. */
export function nemoDecoder(): OnnxModel {
  const isSameSound = (last: number, next: number) =>
    last !== BLANK && next !== BLANK && SOUNDS[last] === SOUNDS[next];
  const never = NEMO_TOKENS.flatMap((_, last) =>
    NEMO_TOKENS.map((_, next) => (isSameSound(last, next) ? -1000 : 0)),
  );
  return {
    ...onnxGraph(`
      (int32[batch, 1] targets, int32[batch] target_length, float[1, batch, 1] hidden, float[1, batch, 1] cell)
        => (float[batch, ${SIZE}, 1] decoded, int32[batch] decoded_length,
            float[1, batch, 1] next_hidden, float[1, batch, 1] next_cell)
      rows = Gather(never, targets)
      decoded = Transpose<perm = [0, 2, 1]>(rows)
      decoded_length = Identity(target_length)
      next_hidden = Identity(hidden)
      next_cell = Identity(cell)
    `),
    weights: [{ name: 'never', type: 'float', shape: [SIZE, SIZE], values: never }],
  };
}

export function nemoJoiner(): OnnxModel {
  return onnxGraph(`
    (float[batch, ${SIZE}, 1] encoded, float[batch, ${SIZE}, 1] decoded) => (float[batch, 1, ${SIZE}] logits)
    sum = Add(encoded, decoded)
    logits = Transpose<perm = [0, 2, 1]>(sum)
  `);
}
