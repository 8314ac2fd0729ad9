import type { OnnxModel, OnnxNode } from '../../helpers/onnxModel.ts';
import { hearing, kaldiBand, MEL_BINS, SUBSAMPLING, TOKENS } from '../../helpers/toneModels.ts';

/** Sounds as `pha` does, and is a little less likely: the result of a model without phrases. */
export const RARE_TOKEN = 'fa';
export const TRANSDUCER_TOKENS = [...TOKENS, RARE_TOKEN];
const SOUNDS_AS = TOKENS.indexOf('pha');
/** By how much it is less likely, as a logarithm. */
const RARITY = 1;

const VOCABULARY = TRANSDUCER_TOKENS.length;
const LOUD = 0;
const CONTEXT = 2;
const CHUNK_FRAMES = 2 * SUBSAMPLING;

/** A piece a line with its score, as sentencepiece writes it. */
export const TRANSDUCER_BPE = ['<unk>', '<s>', '</s>', ...TRANSDUCER_TOKENS.slice(1)]
  .concat(['▁', ...new Set([...TRANSDUCER_TOKENS.slice(1).join('').replaceAll('▁', '')])])
  .map((piece, index) => `${piece}\t${-index}\n`)
  .join('');

/** Energies of the tokens' bands, the rare one's from the one that it sounds as. */
function heardSteps(input: string): readonly OnnxNode[] {
  return [
    { op: 'Transpose', inputs: [input], outputs: ['bands'], attributes: { perm: [0, 2, 1] } },
    {
      op: 'Conv',
      inputs: ['bands', 'weights', 'bias'],
      outputs: ['heard'],
      attributes: { strides: [SUBSAMPLING] },
    },
    { op: 'Transpose', inputs: ['heard'], outputs: ['steps'], attributes: { perm: [0, 2, 1] } },
    { op: 'MatMul', inputs: ['steps', 'with_rare'], outputs: ['all'] },
    { op: 'Sub', inputs: ['all', 'rarity'], outputs: ['encoded'] },
  ];
}

function hearingOfAll() {
  const withRare = TOKENS.flatMap((_, row) =>
    TRANSDUCER_TOKENS.map((_, column) =>
      column === row || (column === TOKENS.length && row === SOUNDS_AS) ? 1 : 0,
    ),
  );
  const rarity = TRANSDUCER_TOKENS.map(token => (token === RARE_TOKEN ? RARITY : 0));
  return [
    ...hearing(kaldiBand, LOUD),
    { name: 'with_rare', type: 'float', shape: [TOKENS.length, VOCABULARY], values: withRare },
    { name: 'rarity', type: 'float', shape: [VOCABULARY], values: rarity },
  ] as const;
}

/** Hears audio piece by piece, with the metadata of an LSTM encoder. */
export function onlineEncoder(): OnnxModel {
  const state = { type: 'float', shape: [1, 'batch', 1] } as const;
  return {
    inputs: [
      { name: 'x', type: 'float', shape: ['batch', CHUNK_FRAMES, MEL_BINS] },
      { name: 'hidden', ...state },
      { name: 'cell', ...state },
    ],
    outputs: [
      { name: 'encoded', type: 'float', shape: ['batch', 'steps', VOCABULARY] },
      { name: 'next_hidden', ...state },
      { name: 'next_cell', ...state },
    ],
    nodes: [
      ...heardSteps('x'),
      { op: 'Identity', inputs: ['hidden'], outputs: ['next_hidden'] },
      { op: 'Identity', inputs: ['cell'], outputs: ['next_cell'] },
    ],
    weights: hearingOfAll(),
    metadata: {
      ...{ model_type: 'lstm', num_encoder_layers: 1, T: CHUNK_FRAMES },
      ...{ decode_chunk_len: CHUNK_FRAMES, rnn_hidden_size: 1, d_model: 1 },
    },
  };
}

/** Hears whole utterances. */
export function offlineEncoder(): OnnxModel {
  return {
    inputs: [
      { name: 'x', type: 'float', shape: ['batch', 'frames', MEL_BINS] },
      { name: 'length', type: 'int64', shape: ['batch'] },
    ],
    outputs: [
      { name: 'encoded', type: 'float', shape: ['batch', 'steps', VOCABULARY] },
      { name: 'encoded_length', type: 'int64', shape: ['batch'] },
    ],
    nodes: [
      ...heardSteps('x'),
      { op: 'Div', inputs: ['length', 'subsampling'], outputs: ['encoded_length'] },
    ],
    weights: [...hearingOfAll(), { name: 'subsampling', type: 'int64', shape: [1], values: [SUBSAMPLING] }],
    metadata: { model_type: 'zipformer' },
  };
}

/** Knows the last token, so that one that goes on is said once. */
export function transducerDecoder(): OnnxModel {
  const never = TRANSDUCER_TOKENS.flatMap((_, last) =>
    TRANSDUCER_TOKENS.map((_, next) => (isSameSound(last, next) ? -1000 : 0)),
  );
  return {
    inputs: [{ name: 'y', type: 'int64', shape: ['batch', CONTEXT] }],
    outputs: [{ name: 'decoded', type: 'float', shape: ['batch', VOCABULARY] }],
    nodes: [
      { op: 'Gather', inputs: ['y', 'last'], outputs: ['last_token'], attributes: { axis: 1 } },
      { op: 'Gather', inputs: ['never', 'last_token'], outputs: ['decoded'] },
    ],
    weights: [
      { name: 'last', type: 'int64', shape: [], values: [CONTEXT - 1] },
      { name: 'never', type: 'float', shape: [VOCABULARY, VOCABULARY], values: never },
    ],
    metadata: { vocab_size: VOCABULARY, context_size: CONTEXT },
  };
}

function isSameSound(last: number, next: number): boolean {
  if (last === 0 || next === 0) return false;
  const sound = (token: number) => (token === TOKENS.length ? SOUNDS_AS : token);
  return sound(last) === sound(next);
}

export function transducerJoiner(): OnnxModel {
  return {
    inputs: ['encoded', 'decoded'].map(name => ({ name, type: 'float', shape: ['batch', VOCABULARY] })),
    outputs: [{ name: 'logits', type: 'float', shape: ['batch', VOCABULARY] }],
    nodes: [{ op: 'Add', inputs: ['encoded', 'decoded'], outputs: ['logits'] }],
    metadata: { joiner_dim: VOCABULARY },
  };
}
