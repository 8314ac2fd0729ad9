/** Cuts samples into blocks of one size, however they come. */
export interface Blocks {
  /** Hands every full block on; it is only good during the call. */
  push(samples: Int16Array, take: (block: Int16Array) => void): void;
  /** What is left, less than a block. */
  rest(): Int16Array;
}

export function createBlocks(frames: number): Blocks {
  const block = new Int16Array(frames);
  let filled = 0;
  return {
    push(samples, take) {
      for (let at = 0; at < samples.length; ) {
        const part = samples.subarray(at, at + frames - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < frames) return;
        filled = 0;
        take(block);
      }
    },
    rest() {
      const rest = block.slice(0, filled);
      filled = 0;
      return rest;
    },
  };
}
