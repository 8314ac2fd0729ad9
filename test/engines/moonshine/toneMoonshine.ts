/** A small Moonshine that hears tones, with the inputs, outputs and cache of the base size. */
import tokenizer from 'llama-tokenizer-js';
import { END_TOKEN, VOCABULARY_SIZE } from '../../../src/engines/moonshine/tokens.ts';
import { type OnnxModel, onnxGraph, type Tensor } from '../../helpers/onnxModel.ts';
import { TONES } from '../../helpers/toneModels.ts';

const LAYERS = 8;
const HEADS = 8;
const HEAD_SIZE = 52;
const HIDDEN_SIZE = HEADS * HEAD_SIZE;
/** Samples of a position, for which one tone is heard. */
const POSITION = 384;
/** Positions from the start of a tone to its middle. */
const HALF_TONE = 2;
/** Share of the energy of a tone that fills its position; less is silence. */
const LOUD = 0.3;
const AMPLITUDE = 9000 / 32_768;
const VOCABULARY: readonly string[] = tokenizer.vocabById;
const TOKEN_IDS = Object.keys(TONES).map(token => VOCABULARY.indexOf(token));
/** Tokens that follow those that were heard. */
const ENDS = 64;
/** Logit of a token that was heard; those of the others are 0. */
const SURE = 20;

const constants = (values: Readonly<Record<string, readonly number[] | number>>): readonly Tensor[] =>
  Object.entries(values).map(([name, value]) => {
    const list = [value].flat();
    return { name, type: 'int64', shape: typeof value === 'number' ? [] : [list.length], values: list };
  });

/** Kernels and strides of Moonshine's convolutions: it has the positions that they leave. */
const STRIDES = [
  [127, 64],
  [7, 3],
  [3, 2],
] as const;

/** Two filters for each tone, so that the energy does not depend on its phase. */
function filters(): Tensor {
  const values = Object.values(TONES).flatMap(frequency =>
    [Math.sin, Math.cos].flatMap(wave =>
      Array.from({ length: POSITION }, (_, frame) => {
        return wave((2 * Math.PI * frequency * frame) / 16_000) / ((AMPLITUDE * POSITION) / 2);
      }),
    ),
  );
  return { name: 'filters', type: 'float', shape: [values.length / POSITION, 1, POSITION], values };
}

/** Returns for each token that is heard its number and its position, in the first two of the hidden values. */
export function toneEncoder(): OnnxModel {
  return {
    ...onnxGraph(`
      (float[batch, samples] input_values) => (float[batch, positions, ${HIDDEN_SIZE}] last_hidden_state)
      wave = Unsqueeze(input_values, one)
      filtered = Conv<strides = [${POSITION}]>(wave, filters)
      squares = Mul(filtered, filtered)
      pairs = Reshape(squares, by_tone)
      energies = ReduceSum<keepdims = 0>(pairs, one)
      all_energies = Pad(energies, silence_first, loud)
      heard = ArgMax<axis = 0, keepdims = 0>(all_energies)
      but_last = Slice(heard, zero, minus_one)
      before = Concat<axis = 0>(zero, but_last)
      is_repeat = Equal(heard, before)
      is_silence = Equal(heard, zero)
      is_nothing = Or(is_repeat, is_silence)
      is_token = Not(is_nothing)
      tones = Compress<axis = 0>(heard, is_token)
      tokens = Gather(token_ids, tones)
      count = Shape(heard)
      ends = Expand(end, count)
      all_tokens = Concat<axis = 0>(tokens, ends)
      ended = Slice(all_tokens, zero, count)
      token_places = NonZero(is_token)
      places = Reshape(token_places, minus_one)
      last_places = Expand(count, count)
      all_places = Concat<axis = 0>(places, last_places)
      placed = Slice(all_places, zero, count)
      token_column = Unsqueeze(ended, one)
      place_column = Unsqueeze(placed, one)
      columns = Concat<axis = 1>(token_column, place_column)
      as_floats = Cast<to = 1>(columns)
      one_batch = Unsqueeze(as_floats, zero)
      wide = Pad(one_batch, to_hidden_size)
      given = Shape(input_values)
      samples = Slice(given, one, two)
      ${STRIDES.flatMap((_, index) => [
        `rest${index} = Sub(${index === 0 ? 'samples' : `after${index - 1}`}, kernel${index})`,
        `strides${index} = Div(rest${index}, stride${index})`,
        `after${index} = Add(strides${index}, one)`,
      ]).join('\n')}
      last_hidden_state = Slice(wide, zero, after2, one)
    `),
    weights: [
      filters(),
      { name: 'loud', type: 'float', shape: [], values: [LOUD] },
      ...constants({
        ...{ zero: [0], one: [1], minus_one: [-1], end: [END_TOKEN], token_ids: [0, ...TOKEN_IDS] },
        ...{ by_tone: [TOKEN_IDS.length, 2, -1], silence_first: [1, 0, 0, 0] },
        to_hidden_size: [0, 0, 0, 0, 0, HIDDEN_SIZE - 2],
        two: [2],
        ...Object.fromEntries(
          STRIDES.flatMap(([kernel, stride], index) => [
            [`kernel${index}`, [kernel]],
            [`stride${index}`, [stride]],
          ]),
        ),
      }),
    ],
  };
}

const CACHES = Array.from({ length: LAYERS }, (_, layer) => layer).flatMap(layer =>
  ['decoder', 'encoder'].flatMap(of => ['key', 'value'].map(part => `${layer}.${of}.${part}`)),
);
const CACHE = `float[batch, ${HEADS}, cached, ${HEAD_SIZE}]`;
const OUTPUTS = [
  `float[batch, tokens, ${VOCABULARY_SIZE}] logits`,
  ...CACHES.map(name => `${CACHE} present.${name}`),
].join(', ');

/** Says the tokens that the encoder heard, one a step, with the attention where it heard them. */
export function toneDecoder(): OnnxModel {
  const graph = onnxGraph(`
    (int64[batch, tokens] input_ids, float[batch, positions, ${HIDDEN_SIZE}] encoder_hidden_states,
     ${CACHES.map(name => `${CACHE} past_key_values.${name}`).join(', ')}, bool[1] use_cache_branch)
      => (${OUTPUTS})
    chosen = Identity(use_cache_branch)
  `);
  const choice = {
    op: 'If',
    inputs: ['chosen'],
    outputs: graph.outputs.map(({ name }) => name),
    attributes: { then_branch: branch(true), else_branch: branch(false) },
  };
  return {
    ...graph,
    nodes: [...graph.nodes, choice],
    weights: [
      { name: 'half_tone', type: 'float', shape: [], values: [HALF_TONE] },
      { name: 'unsure_and_sure', type: 'float', shape: [2], values: [0, SURE] },
      { name: 'nothing', type: 'float', shape: [], values: [0] },
      { name: 'ends', type: 'float', shape: [ENDS], values: new Array(ENDS).fill(END_TOKEN) },
      ...constants({
        ...{ zero: 0, one: 1, two: 2, first_size: [0], second_size: [1], second_axis: [1] },
        ...{ vocabulary: VOCABULARY_SIZE, vocabulary_size: [VOCABULARY_SIZE] },
        ...{ head_count: [HEADS], head_size: [HEAD_SIZE] },
      }),
    ],
  };
}

/** Returns the decoder with a cache of earlier tokens, or without. */
function branch(isCached: boolean): OnnxModel {
  const caches = CACHES.map(name => {
    const fresh = name.includes('encoder') ? 'of_audio' : 'of_tokens';
    if (!isCached) return `present.${name} = Identity(${fresh})`;
    if (fresh === 'of_audio') return `present.${name} = Identity(past_key_values.${name})`;
    return `present.${name} = Concat<axis = 2>(past_key_values.${name}, ${fresh})`;
  });
  const attention = Array.from(
    { length: LAYERS },
    (_, layer) => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0 = Identity(attention)`,
  );
  return {
    ...onnxGraph(`
      () => (${OUTPUTS})
      sizes = Shape(input_ids)
      batch = Gather(sizes, first_size)
      count = Gather(sizes, second_size)
      new = Gather(sizes, one)
      cache_sizes = Shape(past_key_values.0.decoder.key)
      past = ${isCached ? 'Gather(cache_sizes, two)' : 'Identity(zero)'}
      until = Add(past, new)
      steps = Range(past, until, one)
      hidden = Gather(encoder_hidden_states, zero)
      hidden_sizes = Shape(hidden)
      positions = Gather(hidden_sizes, first_size)
      heard = Gather<axis = 1>(hidden, zero)
      all_heard = Concat<axis = 0>(heard, ends)
      said_as_float = Gather(all_heard, steps)
      said = Cast<to = 7>(said_as_float)
      rows = OneHot(said, vocabulary, unsure_and_sure)
      logit_sizes = Concat<axis = 0>(batch, count, vocabulary_size)
      logits = Expand(rows, logit_sizes)
      places = Gather<axis = 1>(hidden, one)
      all_places = Concat<axis = 0>(places, ends)
      place = Gather(all_places, steps)
      place_column = Unsqueeze(place, second_axis)
      middle = Add(place_column, half_tone)
      position_count = Gather(hidden_sizes, zero)
      position_numbers = Range(zero, position_count, one)
      position_row = Cast<to = 1>(position_numbers)
      offset = Sub(position_row, middle)
      distance = Abs(offset)
      nearness = Neg(distance)
      focus = Softmax<axis = 1>(nearness)
      attention_sizes = Concat<axis = 0>(batch, head_count, count, positions)
      attention = Expand(focus, attention_sizes)
      audio_sizes = Concat<axis = 0>(batch, head_count, positions, head_size)
      of_audio = Expand(nothing, audio_sizes)
      token_sizes = Concat<axis = 0>(batch, head_count, count, head_size)
      of_tokens = Expand(nothing, token_sizes)
      ${[...caches, ...attention].join('\n')}
    `),
  };
}
