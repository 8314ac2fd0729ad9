import { WASM_PAGE_BYTES, wasmKernel } from '../wasm.ts';
import type { ResampleFilter } from './resampleFilter.ts';

/** The inner loop of the resampler (sums of products of input and table) with its buffers. */
export type ResampleKernel = ReturnType<typeof createKernel>;

const FLOAT_BYTES = 4;

/** The binary of `resampleKernel.wat`. */
const instantiate = wasmKernel(
  `AGFzbQEAAAABDAFgCH9/f39/f39/AAMCAQAFAwEAAQcQAgZtZW1vcnkCAANydW4AAAq2AgGzAgIDfwR7A0D9DAAAAAAAAAAAAAAA
   AAAAAAAhC/0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDiAAIQggASIJ
   IARqIQoDQCALIAj9AAQAIAn9AAQA/eYB/eQBIQsgDCAI/QAEECAJ/QAEEP3mAf3kASEMIA0gCP0ABCAgCf0ABCD95gH95AEhDSAO
   IAj9AAQwIAn9AAQw/eYB/eQBIQ4gCEHAAGohCCAJQcAAaiIJIApJDQALIAsgDP3kASANIA795AH95AEhCyACIAv9HwAgC/0fAZIg
   C/0fAiAL/R8DkpI4AgAgACAGaiEAIAEgB2oiASAFTwRAIAEgBWshASAAQQRqIQALIAJBBGoiAiADSQ0ACws=`,
);

/** Creates a kernel for a filter, in WebAssembly. Its memory holds the table, then the input, then the output. */
export function createKernel(
  filter: ResampleFilter,
  sizes: { readonly inputFrames: number; readonly outputFrames: number },
) {
  const { up, down, taps, table } = filter;
  const { memory, run } = instantiate();
  const inputStart = table.byteLength;
  const outputStart = inputStart + sizes.inputFrames * FLOAT_BYTES;
  const end = outputStart + sizes.outputFrames * FLOAT_BYTES;
  memory.grow(Math.ceil(end / WASM_PAGE_BYTES) - 1);
  new Float32Array(memory.buffer).set(table);
  const rowBytes = taps * FLOAT_BYTES;
  const inputStep = Math.floor(down / up) * FLOAT_BYTES;
  const rowStep = (down % up) * rowBytes;
  return {
    input: new Float32Array(memory.buffer, inputStart, sizes.inputFrames),
    output: new Float32Array(memory.buffer, outputStart, sizes.outputFrames),
    /**
     * Computes `count` (at least 1) frames, starting at `output[outputIndex]`. The first is the product of row `row` of the table
     * with the input from `inputIndex`; each next one is `down / up` input frames later.
     */
    run(inputIndex: number, row: number, outputIndex: number, count: number) {
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
