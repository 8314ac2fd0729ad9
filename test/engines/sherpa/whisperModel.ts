import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
import { hearing, librosaBand, MEL_BINS, SUBSAMPLING, TOKENS } from '../../helpers/toneModels.ts';

/** Tokens of the end and of the settings; those of a text that begins are `sot`, a language, the task. */
const CONTROL = ['<|endoftext|>', '<|sot|>', '<|en|>', '<|de|>', '<|translate|>', '<|transcribe|>'];
const MORE_CONTROL = ['<|nospeech|>', '<|notimestamps|>'];
const VOCABULARY = [...TOKENS, ...CONTROL, ...MORE_CONTROL];
const idOf = (token: string) => VOCABULARY.indexOf(token);
/** Tokens before the first word: start, language, task and that no times are wanted. */
const START_TOKENS = 4;
/** As {@link hearing} takes it, of the features that Whisper is given. */
const LOUD = 0.6;
const MAX_TOKENS = 200;

/** The tokens as Whisper's tokens.txt has them: in Base64, with a space before words. */
export function whisperTokens(): string {
  const base64 = (token: string) => Buffer.from(token.replace('▁', ' ')).toString('base64');
  return VOCABULARY.map((token, index) => `${base64(token)} ${index}\n`).join('');
}

/** Hears the tones and hands the tokens to the decoder, as its keys: silence and repeats left out. */
export function whisperEncoder(): OnnxModel {
  const ends = new Array<number>(MAX_TOKENS).fill(idOf('<|endoftext|>'));
  return {
    ...onnxGraph(`
      (float[1, ${MEL_BINS}, frames] mel) => (float[1, 1, tokens, 1] keys, float[1, 1, tokens, 1] values)
      heard = Conv<strides = [${SUBSAMPLING}]>(mel, weights, bias)
      steps_of_one = ArgMax<axis = 1, keepdims = 0>(heard)
      steps = Reshape(steps_of_one, flat)
      but_last = Slice(steps, zero, minus_one)
      before = Concat<axis = 0>(zero, but_last)
      is_repeat = Equal(steps, before)
      is_silence = Equal(steps, zero)
      is_nothing = Or(is_repeat, is_silence)
      is_token = Not(is_nothing)
      tokens = Compress<axis = 0>(steps, is_token)
      ended = Concat<axis = 0>(tokens, ends)
      as_floats = Cast<to = 1>(ended)
      keys = Reshape(as_floats, layered)
      values = Identity(keys)
    `),
    weights: [
      ...hearing(librosaBand, LOUD),
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'layered', type: 'int64', shape: [4], values: [1, 1, -1, 1] },
      { name: 'zero', type: 'int64', shape: [1], values: [0] },
      { name: 'minus_one', type: 'int64', shape: [1], values: [-1] },
      { name: 'ends', type: 'int64', shape: [MAX_TOKENS], values: ends },
    ],
    metadata: {
      ...{ model_type: 'whisper-tones', n_mels: MEL_BINS, n_vocab: VOCABULARY.length },
      ...{ n_text_layer: 1, n_text_ctx: MAX_TOKENS, n_text_state: 1, blank_id: 0 },
      ...{ sot: idOf('<|sot|>'), eot: idOf('<|endoftext|>'), no_speech: idOf('<|nospeech|>') },
      ...{ translate: idOf('<|translate|>'), transcribe: idOf('<|transcribe|>') },
      ...{ no_timestamps: idOf('<|notimestamps|>'), is_multilingual: 1 },
      sot_sequence: ['<|sot|>', '<|en|>', '<|transcribe|>'].map(idOf).join(','),
      all_language_tokens: ['<|en|>', '<|de|>'].map(idOf).join(','),
      all_language_codes: 'en,de',
    },
  };
}

/** Says the tokens that the encoder heard, one a step. */
export function whisperDecoder(): OnnxModel {
  const cache = `float[1, 1, ${MAX_TOKENS}, 1]`;
  return {
    ...onnxGraph(`
      (int64[1, said] tokens, ${cache} self_keys, ${cache} self_values,
       float[1, 1, heard, 1] keys, float[1, 1, heard, 1] values, int64[1] offset)
        => (float[1, said, ${VOCABULARY.length}] logits, ${cache} next_self_keys, ${cache} next_self_values)
      shape = Shape(tokens)
      count = Gather<axis = 0>(shape, one)
      until = Add(offset, count)
      place = Sub(until, start_tokens)
      all_heard = Reshape(keys, flat)
      next_as_float = Gather<axis = 0>(all_heard, place)
      next = Cast<to = 7>(next_as_float)
      next_each = Expand(next, shape)
      logits = OneHot(next_each, depth, off_and_on)
      next_self_keys = Identity(self_keys)
      next_self_values = Identity(self_values)
    `),
    weights: [
      { name: 'one', type: 'int64', shape: [1], values: [1] },
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'start_tokens', type: 'int64', shape: [1], values: [START_TOKENS] },
      { name: 'depth', type: 'int64', shape: [1], values: [VOCABULARY.length] },
      { name: 'off_and_on', type: 'float', shape: [2], values: [0, 1] },
    ],
  };
}
