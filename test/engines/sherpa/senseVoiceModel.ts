import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
import { kaldiBand, MEL_BINS, SUBSAMPLING, TOKENS, TONES } from '../../helpers/toneModels.ts';

/** Tokens of SenseVoice before any word: language, mood, kind of sound, and the writing of numbers. */
const PREFIX = ['<|en|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>'];
export const SENSE_VOICE_TOKENS = [...TOKENS, ...PREFIX];

const VALUES = MEL_BINS * SUBSAMPLING;
const VOCABULARY = SENSE_VOICE_TOKENS.length;
/** Least level of a mel band that counts as sound; samples are from -32768 to 32767. */
const LOUD = 20;
const SURE = 1000;

/** A model with the inputs, the frames in stacks and the metadata of SenseVoice. */
export function senseVoiceModel(): OnnxModel {
  const hearing = new Array<number>(VALUES * VOCABULARY).fill(0);
  for (const [index, frequency] of Object.values(TONES).entries()) {
    for (let frame = 0; frame < SUBSAMPLING; frame++) {
      const value = frame * MEL_BINS + kaldiBand(frequency);
      hearing[value * VOCABULARY + index + 1] = 1 / SUBSAMPLING;
    }
  }
  const prefix = PREFIX.flatMap((_, step) =>
    SENSE_VOICE_TOKENS.map((_, token) => (token === TOKENS.length + step ? SURE : 0)),
  );
  const bias = SENSE_VOICE_TOKENS.map((_, token) => (token === 0 ? LOUD : 0));
  return {
    ...onnxGraph(`
      (float[1, steps, ${VALUES}] x, int32[1] x_length, int32[1] language, int32[1] text_norm)
        => (float[1, all_steps, ${VOCABULARY}] logits)
      energies = MatMul(x, weights)
      heard = Add(energies, bias)
      logits = Concat<axis = 1>(prefix, heard)
    `),
    weights: [
      { name: 'weights', type: 'float', shape: [VALUES, VOCABULARY], values: hearing },
      { name: 'bias', type: 'float', shape: [VOCABULARY], values: bias },
      { name: 'prefix', type: 'float', shape: [1, PREFIX.length, VOCABULARY], values: prefix },
    ],
    metadata: {
      ...{ model_type: 'sense_voice_ctc', comment: '', vocab_size: VOCABULARY },
      ...{ lfr_window_size: SUBSAMPLING, lfr_window_shift: SUBSAMPLING, normalize_samples: 0 },
      ...{ with_itn: 14, without_itn: 15 },
      ...{ lang_auto: 0, lang_zh: 3, lang_en: 4, lang_yue: 7, lang_ja: 11, lang_ko: 12 },
      neg_mean: new Array(VALUES).fill(0).join(','),
      inv_stddev: new Array(VALUES).fill(1).join(','),
    },
  };
}
