import { type OnnxModel, onnxGraph } from '../../helpers/onnxModel.ts';
import { kaldiBand, MEL_BINS } from '../../helpers/toneModels.ts';

const SAMPLE_RATE = 16_000;
/** Two voices, each a tone in Hz. */
export const VOICES = [400, 2200] as const;
/** Nobody, one of three, two of three. */
const CLASSES = 7;
/** Frames that are judged at once; the tones have whole waves in it. */
const STEP = 160;
/** Least strength of a tone that counts as a voice. */
const LOUD = 50;
const NEVER = -1;

/** Separates the voices frame by frame, with the metadata of pyannote's segmentation. */
export function segmentationModel(): OnnxModel {
  const waves = VOICES.flatMap(frequency =>
    [Math.cos, Math.sin].map(wave =>
      Array.from({ length: STEP }, (_, frame) => wave((2 * Math.PI * frequency * frame) / SAMPLE_RATE)),
    ),
  );
  const scores = Array.from({ length: CLASSES }, (_, row) =>
    waves.map((_, wave) => (Math.floor(wave / 2) === row - 1 ? 1 : 0)),
  );
  const bias = Array.from({ length: CLASSES }, (_, row) =>
    row === 0 ? LOUD : row <= VOICES.length ? 0 : NEVER,
  );
  return {
    ...onnxGraph(`
      (float[1, 1, samples] x) => (float[1, frames, ${CLASSES}] y)
      strengths = Conv<strides = [${STEP}]>(x, waves)
      energies = Mul(strengths, strengths)
      classes = Conv(energies, scores, bias)
      y = Transpose<perm = [0, 2, 1]>(classes)
    `),
    weights: [
      { name: 'waves', type: 'float', shape: [waves.length, 1, STEP], values: waves.flat() },
      { name: 'scores', type: 'float', shape: [CLASSES, waves.length, 1], values: scores.flat() },
      { name: 'bias', type: 'float', shape: [CLASSES], values: bias },
    ],
    metadata: {
      ...{ model_type: 'pyannote-segmentation-3.0', sample_rate: SAMPLE_RATE, window_size: 5 * SAMPLE_RATE },
      ...{ receptive_field_size: STEP, receptive_field_shift: STEP },
      ...{ num_speakers: 3, powerset_max_classes: 2, num_classes: CLASSES },
    },
  };
}

/** A direction for each voice, with the metadata of a speaker embedding. */
export function embeddingModel(): OnnxModel {
  const weights = new Array<number>(MEL_BINS * VOICES.length).fill(0);
  for (const [index, frequency] of VOICES.entries())
    weights[kaldiBand(frequency) * VOICES.length + index] = 1;
  return {
    ...onnxGraph(`
      (float[1, frames, ${MEL_BINS}] x) => (float[1, ${VOICES.length}] embedding)
      energies = MatMul(x, weights)
      heard = Relu(energies)
      mean = ReduceMean<axes = [1], keepdims = 0>(heard)
      embedding = Add(mean, little)
    `),
    weights: [
      { name: 'weights', type: 'float', shape: [MEL_BINS, VOICES.length], values: weights },
      { name: 'little', type: 'float', shape: [1], values: [0.001] },
    ],
    metadata: {
      ...{ framework: 'wespeaker', language: 'English', output_dim: VOICES.length },
      ...{ sample_rate: SAMPLE_RATE, normalize_samples: 1, feature_normalize_type: '' },
    },
  };
}

/** A voice for some seconds. */
export function voice(index: number, seconds: number): Int16Array {
  const step = (2 * Math.PI * VOICES[index]!) / SAMPLE_RATE;
  return Int16Array.from({ length: seconds * SAMPLE_RATE }, (_, frame) => 9000 * Math.sin(step * frame));
}
