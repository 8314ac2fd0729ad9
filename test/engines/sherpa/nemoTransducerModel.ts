import type { OnnxModel } from '../../helpers/onnxModel.ts';
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

const state = { type: 'float', shape: [1, 'batch', 1] } as const;

/** Hears whole utterances, as NeMo's export does. */
export function nemoEncoder(): OnnxModel {
  const rarity = NEMO_TOKENS.map(token => (token === RARE_TOKEN ? RARITY : 0));
  return {
    inputs: [
      { name: 'audio_signal', type: 'float', shape: ['batch', MEL_BINS, 'frames'] },
      { name: 'length', type: 'int64', shape: ['batch'] },
    ],
    outputs: [
      { name: 'encoded', type: 'float', shape: ['batch', SIZE, 'steps'] },
      { name: 'encoded_lengths', type: 'int64', shape: ['batch'] },
    ],
    nodes: [
      {
        op: 'Conv',
        inputs: ['audio_signal', 'weights', 'bias'],
        outputs: ['heard'],
        attributes: { strides: [SUBSAMPLING] },
      },
      { op: 'Gather', inputs: ['heard', 'sounds'], outputs: ['all'], attributes: { axis: 1 } },
      { op: 'Sub', inputs: ['all', 'rarity'], outputs: ['encoded'] },
      { op: 'Div', inputs: ['length', 'subsampling'], outputs: ['encoded_lengths'] },
    ],
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
  const caches = ['last_channel', 'last_time'];
  const cache = { type: 'float', shape: ['batch', 1, 1, 1] } as const;
  const length = { type: 'int64', shape: ['batch'] } as const;
  const dimensions = caches.flatMap(name =>
    [1, 2, 3].map(index => [`cache_${name}_dim${index}`, 1] as const),
  );
  const named = (ending: string) => [
    ...caches.map(name => ({ name: `cache_${name}${ending}`, ...cache })),
    { name: `cache_length${ending}`, ...length },
  ];
  return {
    ...whole,
    inputs: [...whole.inputs, ...named('')],
    outputs: [...whole.outputs, ...named('_next')],
    nodes: [
      ...whole.nodes,
      ...named('').map(({ name }) => ({ op: 'Identity', inputs: [name], outputs: [`${name}_next`] })),
    ],
    metadata: {
      ...whole.metadata,
      ...{ window_size: 2 * SUBSAMPLING, chunk_shift: 2 * SUBSAMPLING },
      ...Object.fromEntries(dimensions),
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
    inputs: [
      { name: 'targets', type: 'int32', shape: ['batch', 1] },
      { name: 'target_length', type: 'int32', shape: ['batch'] },
      { name: 'hidden', ...state },
      { name: 'cell', ...state },
    ],
    outputs: [
      { name: 'decoded', type: 'float', shape: ['batch', SIZE, 1] },
      { name: 'decoded_length', type: 'int32', shape: ['batch'] },
      { name: 'next_hidden', ...state },
      { name: 'next_cell', ...state },
    ],
    nodes: [
      { op: 'Gather', inputs: ['never', 'targets'], outputs: ['rows'] },
      { op: 'Transpose', inputs: ['rows'], outputs: ['decoded'], attributes: { perm: [0, 2, 1] } },
      { op: 'Identity', inputs: ['target_length'], outputs: ['decoded_length'] },
      { op: 'Identity', inputs: ['hidden'], outputs: ['next_hidden'] },
      { op: 'Identity', inputs: ['cell'], outputs: ['next_cell'] },
    ],
    weights: [{ name: 'never', type: 'float', shape: [SIZE, SIZE], values: never }],
  };
}

export function nemoJoiner(): OnnxModel {
  return {
    inputs: ['encoded', 'decoded'].map(name => ({ name, type: 'float', shape: ['batch', SIZE, 1] })),
    outputs: [{ name: 'logits', type: 'float', shape: ['batch', 1, SIZE] }],
    nodes: [
      { op: 'Add', inputs: ['encoded', 'decoded'], outputs: ['sum'] },
      { op: 'Transpose', inputs: ['sum'], outputs: ['logits'], attributes: { perm: [0, 2, 1] } },
    ],
  };
}
