import type { OnnxModel } from '../../helpers/onnxModel.ts';
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
  return {
    inputs: [{ name: 'mel', type: 'float', shape: [1, MEL_BINS, 'frames'] }],
    outputs: ['keys', 'values'].map(name => ({ name, type: 'float', shape: [1, 1, 'tokens', 1] })),
    nodes: [
      {
        op: 'Conv',
        inputs: ['mel', 'weights', 'bias'],
        outputs: ['heard'],
        attributes: { strides: [SUBSAMPLING] },
      },
      { op: 'ArgMax', inputs: ['heard'], outputs: ['steps_of_one'], attributes: { axis: 1, keepdims: 0 } },
      { op: 'Reshape', inputs: ['steps_of_one', 'flat'], outputs: ['steps'] },
      { op: 'Slice', inputs: ['steps', 'zero', 'minus_one'], outputs: ['but_last'] },
      { op: 'Concat', inputs: ['zero', 'but_last'], outputs: ['before'], attributes: { axis: 0 } },
      { op: 'Equal', inputs: ['steps', 'before'], outputs: ['is_repeat'] },
      { op: 'Equal', inputs: ['steps', 'zero'], outputs: ['is_silence'] },
      { op: 'Or', inputs: ['is_repeat', 'is_silence'], outputs: ['is_nothing'] },
      { op: 'Not', inputs: ['is_nothing'], outputs: ['is_token'] },
      { op: 'Compress', inputs: ['steps', 'is_token'], outputs: ['tokens'], attributes: { axis: 0 } },
      { op: 'Concat', inputs: ['tokens', 'ends'], outputs: ['ended'], attributes: { axis: 0 } },
      { op: 'Cast', inputs: ['ended'], outputs: ['as_floats'], attributes: { to: 1 } },
      { op: 'Reshape', inputs: ['as_floats', 'layered'], outputs: ['keys'] },
      { op: 'Identity', inputs: ['keys'], outputs: ['values'] },
    ],
    weights: [
      ...hearing(librosaBand, LOUD),
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'layered', type: 'int64', shape: [4], values: [1, 1, -1, 1] },
      { name: 'zero', type: 'int64', shape: [1], values: [0] },
      { name: 'minus_one', type: 'int64', shape: [1], values: [-1] },
      {
        name: 'ends',
        type: 'int64',
        shape: [MAX_TOKENS],
        values: new Array(MAX_TOKENS).fill(idOf('<|endoftext|>')),
      },
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
  const cache = { type: 'float', shape: [1, 1, MAX_TOKENS, 1] } as const;
  const heard = { type: 'float', shape: [1, 1, 'heard', 1] } as const;
  return {
    inputs: [
      { name: 'tokens', type: 'int64', shape: [1, 'said'] },
      { name: 'self_keys', ...cache },
      { name: 'self_values', ...cache },
      { name: 'keys', ...heard },
      { name: 'values', ...heard },
      { name: 'offset', type: 'int64', shape: [1] },
    ],
    outputs: [
      { name: 'logits', type: 'float', shape: [1, 'said', VOCABULARY.length] },
      { name: 'next_self_keys', ...cache },
      { name: 'next_self_values', ...cache },
    ],
    nodes: [
      { op: 'Shape', inputs: ['tokens'], outputs: ['shape'] },
      { op: 'Gather', inputs: ['shape', 'one'], outputs: ['count'], attributes: { axis: 0 } },
      { op: 'Add', inputs: ['offset', 'count'], outputs: ['until'] },
      { op: 'Sub', inputs: ['until', 'start_tokens'], outputs: ['place'] },
      { op: 'Reshape', inputs: ['keys', 'flat'], outputs: ['all_heard'] },
      { op: 'Gather', inputs: ['all_heard', 'place'], outputs: ['next_as_float'], attributes: { axis: 0 } },
      { op: 'Cast', inputs: ['next_as_float'], outputs: ['next'], attributes: { to: 7 } },
      { op: 'Expand', inputs: ['next', 'shape'], outputs: ['next_each'] },
      { op: 'OneHot', inputs: ['next_each', 'depth', 'off_and_on'], outputs: ['logits'] },
      { op: 'Identity', inputs: ['self_keys'], outputs: ['next_self_keys'] },
      { op: 'Identity', inputs: ['self_values'], outputs: ['next_self_values'] },
    ],
    weights: [
      { name: 'one', type: 'int64', shape: [1], values: [1] },
      { name: 'flat', type: 'int64', shape: [1], values: [-1] },
      { name: 'start_tokens', type: 'int64', shape: [1], values: [START_TOKENS] },
      { name: 'depth', type: 'int64', shape: [1], values: [VOCABULARY.length] },
      { name: 'off_and_on', type: 'float', shape: [2], values: [0, 1] },
    ],
  };
}
