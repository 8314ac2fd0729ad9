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

/** The last samples of a stream, as many as are kept. */
export interface RecentAudio {
  /** Copies samples to the end. */
  push(samples: Int16Array): void;
  /** Forgets all but the last frames. */
  keep(frames: number): void;
  /** A copy of the last frames, or of all when there are fewer. */
  last(frames: number): Int16Array;
}

export function createRecentAudio(): RecentAudio {
  let store = new Int16Array(1 << 15);
  let start = 0;
  let end = 0;
  return {
    push(samples) {
      if (end + samples.length > store.length) {
        const kept = store.subarray(start, end);
        const size = Math.max(store.length, 2 * (kept.length + samples.length));
        // In place where the forgotten part makes room enough.
        const target = size > store.length ? new Int16Array(size) : store;
        target.set(kept);
        store = target;
        end -= start;
        start = 0;
      }
      store.set(samples, end);
      end += samples.length;
    },
    keep(frames) {
      start = Math.max(start, end - frames);
    },
    last: frames => store.slice(Math.max(start, end - frames), end),
  };
}
