import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';

export const PARAFORMER_TOKENS = ['<blank>', '<s>', 'alpha', '<unk>'];

/** Six frames of 10 ms at a step, of seven each. */
const [WINDOW, SHIFT] = [7, 6];
const VALUES = 80 * WINDOW;
const SIZE = PARAFORMER_TOKENS.length;
/** Least mean of the features of a step that counts as sound. */
const LOUD = 8;
/** Weight of a token in a step: about three steps make one token. */
const SHARE = 0.34;

/** Says how much of a token is in each step: where it is loud. */
export function onlineParaformerEncoder(): OnnxModel {
  return {
    ...onnxGraph(`
      (float[1, steps, ${VALUES}] speech, int32[1] speech_lengths)
        => (float[1, steps, ${SIZE}] heard, int32[1] heard_lengths, float[1, steps] alphas)
      heard = MatMul(speech, any)
      heard_lengths = Identity(speech_lengths)
      level = ReduceMean<axes = [2], keepdims = 0>(speech)
      is_loud = Greater(level, loud)
      as_float = Cast<to = 1>(is_loud)
      alphas = Mul(as_float, share)
    `),
    weights: [
      { name: 'any', type: 'float', shape: [VALUES, SIZE], values: new Array(VALUES * SIZE).fill(0.001) },
      { name: 'loud', type: 'float', shape: [1], values: [LOUD] },
      { name: 'share', type: 'float', shape: [1], values: [SHARE] },
    ],
    metadata: {
      ...{ model_type: 'paraformer', vocab_size: SIZE, encoder_output_size: SIZE },
      ...{ lfr_window_size: WINDOW, lfr_window_shift: SHIFT },
      ...{ decoder_num_blocks: 1, decoder_kernel_size: 2 },
      neg_mean: new Array(VALUES).fill(0).join(','),
      inv_stddev: new Array(VALUES).fill(1).join(','),
    },
  };
}

/** Takes all tokens for the one that is a word. */
export function onlineParaformerDecoder(): OnnxModel {
  return {
    ...onnxGraph(`
      (float[1, steps, ${SIZE}] heard, int32[1] heard_lengths, float[1, tokens, ${SIZE}] tokens,
       int32[1] tokens_lengths, float[1, ${SIZE}, 1] cache)
        => (float[1, tokens, ${SIZE}] logits, int64[1, tokens] ids, float[1, ${SIZE}, 1] next_cache)
      logits = Identity(tokens)
      each = ReduceMean<axes = [2], keepdims = 0>(tokens)
      zeros = Mul(each, zero)
      ids_as_float = Add(zeros, word)
      ids = Cast<to = 7>(ids_as_float)
      next_cache = Identity(cache)
    `),
    weights: [
      { name: 'zero', type: 'float', shape: [1], values: [0] },
      { name: 'word', type: 'float', shape: [1], values: [PARAFORMER_TOKENS.indexOf('alpha')] },
    ],
  };
}
