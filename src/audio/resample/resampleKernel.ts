import { type ResampleFilter, TAPS_STEP } from './resampleFilter.ts';

/** The inner loop of the resampler, sums of products of input and table, with its buffers. */
export interface ResampleKernel {
  readonly input: Float32Array;
  readonly output: Float32Array;
  /**
   * Computes `count` (at least 1) frames, starting at `output[outputIndex]`. The first is the product of row `row` of the table
   * with the input from `inputIndex`; each next one is `down / up` input frames later.
   */
  run(inputIndex: number, row: number, outputIndex: number, count: number): void;
}

export interface KernelSizes {
  readonly inputFrames: number;
  readonly outputFrames: number;
}

export type KernelName = 'wasm' | 'javascript';

/** The parts of WebAssembly in use; the types of Node.js do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  run(...parameters: number[]): void;
}

/** WebAssembly where the runtime has it, which `node --jitless` does not. */
export const FASTEST_KERNEL: KernelName = typeof WebAssembly === 'undefined' ? 'javascript' : 'wasm';

/**
 * Creates a kernel for a filter. Both kernels give identical bits: both add products of single precision in the same order, in
 * 16 sums, one for each tap modulo 16.
 */
export function createKernel(name: KernelName, filter: ResampleFilter, sizes: KernelSizes): ResampleKernel {
  return name === 'wasm' ? createWasmKernel(filter, sizes) : createJavaScriptKernel(filter, sizes);
}

function createJavaScriptKernel(filter: ResampleFilter, sizes: KernelSizes): ResampleKernel {
  const { up, down, taps, table } = filter;
  const input = new Float32Array(sizes.inputFrames);
  const output = new Float32Array(sizes.outputFrames);
  const sums = new Float32Array(TAPS_STEP);
  const { fround } = Math;

  function dot(inputIndex: number, rowIndex: number): number {
    sums.fill(0);
    for (let tap = 0; tap < taps; tap += TAPS_STEP) {
      for (let i = 0; i < TAPS_STEP; i++) {
        const at = tap + i;
        sums[i] = sums[i]! + fround(input[inputIndex + at]! * table[rowIndex + at]!);
      }
    }
    const lane = (i: number) =>
      fround(fround(sums[i]! + sums[i + 4]!) + fround(sums[i + 8]! + sums[i + 12]!));
    return fround(lane(0) + lane(1)) + fround(lane(2) + lane(3));
  }

  return {
    input,
    output,
    run(inputIndex, row, outputIndex, count) {
      let position = row;
      for (let i = 0; i < count; i++) {
        output[outputIndex + i] = dot(inputIndex + Math.floor(position / up), (position % up) * taps);
        position += down;
      }
    },
  };
}

const FLOAT_BYTES = 4;
const PAGE_BYTES = 65_536;

/** The binary of `resampleKernel.wat`. */
const WASM = Buffer.from(
  `AGFzbQEAAAABDAFgCH9/f39/f39/AAMCAQAFAwEAAQcQAgZtZW1vcnkCAANydW4AAAq2AgGzAgIDfwR7A0D9DAAAAAAAAAAAAAAA
   AAAAAAAhC/0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDiAAIQggASIJ
   IARqIQoDQCALIAj9AAQAIAn9AAQA/eYB/eQBIQsgDCAI/QAEECAJ/QAEEP3mAf3kASEMIA0gCP0ABCAgCf0ABCD95gH95AEhDSAO
   IAj9AAQwIAn9AAQw/eYB/eQBIQ4gCEHAAGohCCAJQcAAaiIJIApJDQALIAsgDP3kASANIA795AH95AEhCyACIAv9HwAgC/0fAZIg
   C/0fAiAL/R8DkpI4AgAgACAGaiEAIAEgB2oiASAFTwRAIAEgBWshASAAQQRqIQALIAJBBGoiAiADSQ0ACws=`,
  'base64',
);

let wasmModule: object | undefined;

/** Creates the WebAssembly kernel. Its memory holds the table, then the input, then the output. */
function createWasmKernel(filter: ResampleFilter, sizes: KernelSizes): ResampleKernel {
  const { up, down, taps, table } = filter;
  wasmModule ??= new WebAssembly.Module(Uint8Array.from(WASM));
  const { memory, run } = new WebAssembly.Instance(wasmModule).exports as KernelExports;
  const inputStart = table.byteLength;
  const outputStart = inputStart + sizes.inputFrames * FLOAT_BYTES;
  const end = outputStart + sizes.outputFrames * FLOAT_BYTES;
  memory.grow(Math.ceil(end / PAGE_BYTES) - 1);
  new Float32Array(memory.buffer).set(table);
  const rowBytes = taps * FLOAT_BYTES;
  const inputStep = Math.floor(down / up) * FLOAT_BYTES;
  const rowStep = (down % up) * rowBytes;
  return {
    input: new Float32Array(memory.buffer, inputStart, sizes.inputFrames),
    output: new Float32Array(memory.buffer, outputStart, sizes.outputFrames),
    run(inputIndex, row, outputIndex, count) {
      const output = outputStart + outputIndex * FLOAT_BYTES;
      run(
        inputStart + inputIndex * FLOAT_BYTES,
        row * rowBytes,
        output,
        output + count * FLOAT_BYTES,
        rowBytes,
        up * rowBytes,
        inputStep,
        rowStep,
      );
    },
  };
}
