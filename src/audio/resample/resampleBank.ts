import { designResampleFilter, type ResampleFilter } from './resampleFilter.ts';
import { createKernel, type ResampleKernel } from './resampleKernel.ts';

/** The filter and work buffers that all resamplers of the same rates share. Safe, as each use ends within one call. */
export interface ResampleBank extends Pick<ResampleFilter, 'up' | 'down' | 'taps'> {
  /** Input of the next run, filled by the caller: up to `taps - 1` kept frames, then up to `sliceFrames` new ones. */
  readonly input: Float32Array;
  readonly sliceFrames: number;
  readonly output: Float32Array;
  /** Computes `count` output frames; the first begins `phase / up` input frames after `input[0]`. */
  run(phase: number, count: number): void;
}

/** Frames in a slice, at the higher of both rates: input, table and output fit into the first-level cache. */
const SLICE_FRAMES = 4096;

/** Maximum number of cached banks: more than there are common rates; uncommon rates cannot make the memory grow. */
const MAX_BANKS = 8;

const banks = new Map<string, ResampleBank>();

/** Returns the shared bank of these rates. */
export function resampleBank(inputRate: number, outputRate: number): ResampleBank {
  const key = `${inputRate} ${outputRate}`;
  const bank = banks.get(key) ?? createBank(inputRate, outputRate);
  // A map keeps the order of insertion, so its first entry is the least recently used.
  banks.delete(key);
  banks.set(key, bank);
  if (banks.size > MAX_BANKS) banks.delete(banks.keys().next().value!);
  return bank;
}

function createBank(inputRate: number, outputRate: number): ResampleBank {
  const filter = designResampleFilter(inputRate, outputRate);
  const { up, down, taps } = filter;
  const sliceFrames = Math.ceil(SLICE_FRAMES * Math.min(1, down / up));
  const kernel = createKernel(filter, {
    inputFrames: taps + sliceFrames,
    // Two more: one for the remainder of the division, one for the second row of an interpolation.
    outputFrames: Math.ceil((sliceFrames * up) / down) + 2,
  });
  const { input, output } = kernel;
  const run = filter.phases === up ? runExactly(kernel) : runBetweenRows(kernel, filter);
  return { up, down, taps, input, output, sliceFrames, run };
}

function runExactly(kernel: ResampleKernel): ResampleBank['run'] {
  return (phase, count) => kernel.run(0, phase, 0, count);
}

function runBetweenRows(kernel: ResampleKernel, filter: ResampleFilter): ResampleBank['run'] {
  const { up, down, phases } = filter;
  const { output } = kernel;
  return (phase, count) => {
    let position = phase;
    for (let i = 0; i < count; i++) {
      const index = Math.floor(position / up);
      const exactRow = ((position % up) * phases) / up;
      const row = Math.floor(exactRow);
      kernel.run(index, row, i, 1);
      kernel.run(index, row + 1, i + 1, 1);
      output[i] = output[i]! + (exactRow - row) * (output[i + 1]! - output[i]!);
      position += down;
    }
  };
}
