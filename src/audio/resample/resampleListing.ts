import { assembleModule, branchIf, f32, f32x4, i32, local, loop, when } from './wasmAssembler.ts';

/**
 * Assembles the WebAssembly of the resampling kernel. Addresses and steps are in bytes; the table starts at address 0.
 *
 * It uses four sums of four lanes instead of one, since an addition takes longer than the loads beside it.
 */
export function assembleResampleKernel(): Uint8Array<ArrayBuffer> {
  // Parameters: addresses to read and write, then the constants of the filter.
  const [input, row, output, outputEnd, rowBytes, wrapBytes, inputStep, rowStep] = [0, 1, 2, 3, 4, 5, 6, 7];
  // Locals.
  const [x, h, rowEnd, ...sums] = [8, 9, 10, 11, 12, 13, 14] as const;
  const floatBytes = 4;
  const vectorBytes = 16;
  const stepBytes = sums.length * vectorBytes;

  const multiplyAndAdd = sums.map((sum, i) => [
    [local.get(sum)],
    [local.get(x), f32x4.load(i * vectorBytes)],
    [local.get(h), f32x4.load(i * vectorBytes), f32x4.mul],
    [f32x4.add, local.set(sum)],
  ]);
  const [total, second, third, fourth] = sums;
  const lane = (index: number) => [local.get(total), f32x4.extractLane(index)];
  const advance = (index: number, step: number) => [local.get(index), local.get(step), i32.add];

  const body = loop(
    // sums = 0; x = input; h = row; rowEnd = row + rowBytes
    sums.map(sum => [f32x4.zero, local.set(sum)]),
    [local.get(input), local.set(x)],
    [local.get(row), local.tee(h), local.get(rowBytes), i32.add, local.set(rowEnd)],
    // do { sums += x[0..16] * h[0..16]; x += 16; h += 16 } while (h < rowEnd)
    loop(
      multiplyAndAdd,
      [local.get(x), i32.const(stepBytes), i32.add, local.set(x)],
      [local.get(h), i32.const(stepBytes), i32.add, local.tee(h)],
      [local.get(rowEnd), i32.ltU, branchIf(0)],
    ),
    // total = (sums[0] + sums[1]) + (sums[2] + sums[3])
    [local.get(total), local.get(second), f32x4.add],
    [local.get(third), local.get(fourth), f32x4.add],
    [f32x4.add, local.set(total)],
    // *output = (total[0] + total[1]) + (total[2] + total[3])
    [local.get(output)],
    [lane(0), lane(1), f32.add],
    [lane(2), lane(3), f32.add],
    [f32.add, f32.store],
    // input += inputStep; row += rowStep
    [advance(input, inputStep), local.set(input)],
    [advance(row, rowStep), local.tee(row)],
    // if (row >= wrapBytes) { row -= wrapBytes; input += 1 float }
    [local.get(wrapBytes), i32.geU],
    when(
      [local.get(row), local.get(wrapBytes), i32.sub, local.set(row)],
      [local.get(input), i32.const(floatBytes), i32.add, local.set(input)],
    ),
    // output += 1 float; again while (output < outputEnd)
    [local.get(output), i32.const(floatBytes), i32.add, local.tee(output)],
    [local.get(outputEnd), i32.ltU, branchIf(0)],
  );
  return assembleModule(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    ['i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'],
    body,
  );
}
