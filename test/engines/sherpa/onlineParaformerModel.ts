import type { OnnxModel } from '../../helpers/onnxModel.ts';

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
    inputs: [
      { name: 'speech', type: 'float', shape: [1, 'steps', VALUES] },
      { name: 'speech_lengths', type: 'int32', shape: [1] },
    ],
    outputs: [
      { name: 'heard', type: 'float', shape: [1, 'steps', SIZE] },
      { name: 'heard_lengths', type: 'int32', shape: [1] },
      { name: 'alphas', type: 'float', shape: [1, 'steps'] },
    ],
    nodes: [
      { op: 'MatMul', inputs: ['speech', 'any'], outputs: ['heard'] },
      { op: 'Identity', inputs: ['speech_lengths'], outputs: ['heard_lengths'] },
      { op: 'ReduceMean', inputs: ['speech'], outputs: ['level'], attributes: { axes: [2], keepdims: 0 } },
      { op: 'Greater', inputs: ['level', 'loud'], outputs: ['is_loud'] },
      { op: 'Cast', inputs: ['is_loud'], outputs: ['as_float'], attributes: { to: 1 } },
      { op: 'Mul', inputs: ['as_float', 'share'], outputs: ['alphas'] },
    ],
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
  const cache = { type: 'float', shape: [1, SIZE, 1] } as const;
  return {
    inputs: [
      { name: 'heard', type: 'float', shape: [1, 'steps', SIZE] },
      { name: 'heard_lengths', type: 'int32', shape: [1] },
      { name: 'tokens', type: 'float', shape: [1, 'tokens', SIZE] },
      { name: 'tokens_lengths', type: 'int32', shape: [1] },
      { name: 'cache', ...cache },
    ],
    outputs: [
      { name: 'logits', type: 'float', shape: [1, 'tokens', SIZE] },
      { name: 'ids', type: 'int64', shape: [1, 'tokens'] },
      { name: 'next_cache', ...cache },
    ],
    nodes: [
      { op: 'Identity', inputs: ['tokens'], outputs: ['logits'] },
      { op: 'ReduceMean', inputs: ['tokens'], outputs: ['each'], attributes: { axes: [2], keepdims: 0 } },
      { op: 'Mul', inputs: ['each', 'zero'], outputs: ['zeros'] },
      { op: 'Add', inputs: ['zeros', 'word'], outputs: ['ids_as_float'] },
      { op: 'Cast', inputs: ['ids_as_float'], outputs: ['ids'], attributes: { to: 7 } },
      { op: 'Identity', inputs: ['cache'], outputs: ['next_cache'] },
    ],
    weights: [
      { name: 'zero', type: 'float', shape: [1], values: [0] },
      { name: 'word', type: 'float', shape: [1], values: [PARAFORMER_TOKENS.indexOf('alpha')] },
    ],
  };
}
