import { allocateMemory } from './ortApi.ts';

/** Memory outside the JavaScript heap, which never moves. */
export interface NativeBlock {
  readonly address: bigint;
  /** The whole block, at least as large as requested. */
  readonly bytes: ArrayBuffer;
  /** Returns the block for the next `allocate()`. */
  free(): void;
}

const LEAST_BYTES = 64;

/** Returned blocks by size. */
const unused = new Map<number, NativeBlock[]>();

/**
 * Returns a block of at least `bytes` bytes.
 *
 * Blocks are never returned to the system: JavaScript sees each through one view for the lifetime of the
 * process, so no view can refer to memory of another owner.
 */
export function allocate(bytes: number): NativeBlock {
  const size = Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
  const alike = unused.get(size) ?? [];
  unused.set(size, alike);
  return alike.pop() ?? create(size, alike);
}

/** Returns a block filled with addresses or other 64-bit integers. */
export function allocateAddresses(addresses: readonly bigint[]): NativeBlock {
  const block = allocate(addresses.length * BigUint64Array.BYTES_PER_ELEMENT);
  new BigUint64Array(block.bytes).set(addresses);
  return block;
}

function create(size: number, alike: NativeBlock[]): NativeBlock {
  const { address, bytes } = allocateMemory(size);
  const block: NativeBlock = { address, bytes, free: () => void alike.push(block) };
  return block;
}
