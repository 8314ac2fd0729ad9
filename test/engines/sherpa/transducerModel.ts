import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
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
const HEARD_STEPS = `
  bands = Transpose<perm = [0, 2, 1]>(x)
  heard = Conv<strides = [${SUBSAMPLING}]>(bands, weights, bias)
  steps = Transpose<perm = [0, 2, 1]>(heard)
  all = MatMul(steps, with_rare)
  encoded = Sub(all, rarity)`;

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
  return {
    ...onnxGraph(`
      (float[batch, ${CHUNK_FRAMES}, ${MEL_BINS}] x, float[1, batch, 1] hidden, float[1, batch, 1] cell)
        => (float[batch, steps, ${VOCABULARY}] encoded, float[1, batch, 1] next_hidden, float[1, batch, 1] next_cell)
      ${HEARD_STEPS.trim()}
      next_hidden = Identity(hidden)
      next_cell = Identity(cell)
    `),
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
    ...onnxGraph(`
      (float[batch, frames, ${MEL_BINS}] x, int64[batch] length)
        => (float[batch, steps, ${VOCABULARY}] encoded, int64[batch] encoded_length)
      ${HEARD_STEPS.trim()}
      encoded_length = Div(length, subsampling)
    `),
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
    ...onnxGraph(`
      (int64[batch, ${CONTEXT}] y) => (float[batch, ${VOCABULARY}] decoded)
      last_token = Gather<axis = 1>(y, last)
      decoded = Gather(never, last_token)
    `),
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
    ...onnxGraph(`
      (float[batch, ${VOCABULARY}] encoded, float[batch, ${VOCABULARY}] decoded)
        => (float[batch, ${VOCABULARY}] logits)
      logits = Add(encoded, decoded)
    `),
    metadata: { joiner_dim: VOCABULARY },
  };
}
