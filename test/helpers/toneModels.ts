import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OnnxModel, onnxGraph, type Tensor } from './onnxModel.ts';

const SAMPLE_RATE = 16_000;
export const MEL_BINS = 80;
/** Frames of 10 ms for one decision. */
export const SUBSAMPLING = 4;

/** Tokens that the models know; each is heard as a tone. */
export const TONES: Readonly<Record<string, number>> = {
  '▁al': 400,
  pha: 650,
  '▁be': 1000,
  ta: 1500,
  '▁zu': 2200,
  lu: 3200,
};
export const TOKENS = ['<blk>', ...Object.keys(TONES)];

/** Threshold of a mel band above silence, as the logarithm of its energy. */
const LOUD = 0;

/** The band of a frequency by the mel scale of Kaldi: 80 bands from 20 to 7600 Hz. */
export function kaldiBand(frequency: number): number {
  const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);
  const [low, high] = [mel(20), mel(7600)];
  return Math.round(((mel(frequency) - low) / (high - low)) * (MEL_BINS + 1) - 1);
}

/** By the scale of librosa: 80 bands from 0 to 8000 Hz, linear below 1000 Hz. */
export function librosaBand(frequency: number): number {
  const mel = (hertz: number) =>
    hertz < 1000 ? (3 * hertz) / 200 : 15 + (27 * Math.log(hertz / 1000)) / Math.log(6.4);
  return Math.round((mel(frequency) / mel(8000)) * (MEL_BINS + 1) - 1);
}

/**
 * Weights of how sure a model is of each token, as a convolution over the mel bands: the energy of its band over four
 * frames, and for silence how loud a band must be to be heard.
 */
export function hearing(band: (frequency: number) => number, loud: number): readonly Tensor[] {
  const weights = new Array<number>(TOKENS.length * MEL_BINS * SUBSAMPLING).fill(0);
  Object.values(TONES).forEach((frequency, index) => {
    const start = ((index + 1) * MEL_BINS + band(frequency)) * SUBSAMPLING;
    weights.fill(1 / SUBSAMPLING, start, start + SUBSAMPLING);
  });
  const bias = TOKENS.map((_, index) => (index === 0 ? loud : 0));
  return [
    { name: 'weights', type: 'float', shape: [TOKENS.length, MEL_BINS, SUBSAMPLING], values: weights },
    { name: 'bias', type: 'float', shape: [TOKENS.length], values: bias },
  ];
}

/** A streaming CTC model as NeMo exports them, with steps of so many frames. */
export function onlineCtcModel({ subsampling = SUBSAMPLING } = {}): OnnxModel {
  return {
    ...onnxGraph(`
      (float[1, ${MEL_BINS}, frames] audio_signal, int64[1] length, float[1, 1, 1, 1] cache_last_channel,
       float[1, 1, 1, 1] cache_last_time, int64[1] cache_last_channel_len)
        => (float[1, steps, ${TOKENS.length}] logprobs, int64[1] encoded_lengths,
            float[1, 1, 1, 1] cache_last_channel_next, float[1, 1, 1, 1] cache_last_time_next,
            int64[1] cache_last_channel_next_len)
      heard = Conv<strides = [${subsampling}]>(audio_signal, weights, bias)
      steps = Transpose<perm = [0, 2, 1]>(heard)
      logprobs = LogSoftmax<axis = 2>(steps)
      encoded_lengths = Identity(length)
      cache_last_channel_next = Identity(cache_last_channel)
      cache_last_time_next = Identity(cache_last_time)
      cache_last_channel_next_len = Identity(cache_last_channel_len)
    `),
    weights: hearing(kaldiBand, LOUD),
    metadata: {
      window_size: 2 * subsampling,
      chunk_shift: 2 * subsampling,
      subsampling_factor: subsampling,
      vocab_size: TOKENS.length - 1,
      ...{ cache_last_channel_dim1: 1, cache_last_channel_dim2: 1, cache_last_channel_dim3: 1 },
      ...{ cache_last_time_dim1: 1, cache_last_time_dim2: 1, cache_last_time_dim3: 1 },
    },
  };
}

/** The tones of tokens one after the other, and a short rest after each word; mono 16-bit at 16 kHz. */
export function toneSpeech(...words: readonly (readonly string[])[]): Int16Array {
  const parts = words.flatMap(tokens => [...tokens.map(token => tone(TONES[token]!)), rest(0.08)]);
  return Int16Array.from(parts.flatMap(part => [...part]));
}

function tone(frequency: number, seconds = 0.12): Int16Array {
  const fade = 0.005 * SAMPLE_RATE;
  const length = seconds * SAMPLE_RATE;
  return Int16Array.from({ length }, (_, frame) => {
    const gain = Math.min(1, frame / fade, (length - frame) / fade);
    return 9000 * gain * Math.sin((2 * Math.PI * frequency * frame) / SAMPLE_RATE);
  });
}

function rest(seconds: number): Int16Array {
  return new Int16Array(seconds * SAMPLE_RATE);
}

/** Files in a directory of their own, which goes with the handle. */
export async function modelFiles(
  files: Readonly<Record<string, Buffer | string>>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'model-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export function tokensText(tokens: readonly string[] = TOKENS): string {
  return tokens.map((token, index) => `${token} ${index}\n`).join('');
}
