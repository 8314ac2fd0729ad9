import { designResampleFilter, type ResampleFilter } from './resampleFilter.ts';
import { createKernel, type KernelName, type ResampleKernel } from './resampleKernel.ts';

/** What all resamplers of the same rates share. It is used within one call, so they never meet in it. */
export interface ResampleBank extends Pick<ResampleFilter, 'up' | 'down' | 'taps'> {
  /** To be filled: up to `taps - 1` frames kept from before, then up to `sliceFrames` new ones. */
  readonly input: Float32Array;
  readonly sliceFrames: number;
  readonly output: Float32Array;
  /** Makes `count` output frames; the first begins at `phase / up` of an input frame after `input[0]`. */
  run(phase: number, count: number): void;
}

/** Frames in a slice, at the higher of both rates: input, table and output stay in the processor's nearest cache. */
const SLICE_FRAMES = 4096;

/** Banks kept for the next resampler. The common rates are fewer; whoever sends odd ones gains no memory by it. */
const MAX_BANKS = 8;

const banks = new Map<string, ResampleBank>();

/** The bank of these rates, the same for every caller. */
export function resampleBank(inputRate: number, outputRate: number, kernel: KernelName): ResampleBank {
  const key = `${inputRate} ${outputRate} ${kernel}`;
  const bank = banks.get(key) ?? createBank(inputRate, outputRate, kernel);
  // The order of a map is that of insertion: the first is the one that was not asked for longest.
  banks.delete(key);
  banks.set(key, bank);
  if (banks.size > MAX_BANKS) banks.delete(banks.keys().next().value!);
  return bank;
}

function createBank(inputRate: number, outputRate: number, kernelName: KernelName): ResampleBank {
  const filter = designResampleFilter(inputRate, outputRate);
  const { up, down, taps } = filter;
  const sliceFrames = Math.ceil(SLICE_FRAMES * Math.min(1, down / up));
  const kernel = createKernel(kernelName, filter, {
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
