/** Cuts samples into blocks of equal size. */
export function createBlocks(frames: number) {
  const block = new Int16Array(frames);
  let filled = 0;
  return {
    /** Calls `take` with every full block, which is valid only during the call. */
    push(samples: Int16Array, take: (block: Int16Array) => void) {
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
    /** Returns and removes the remaining samples, less than a block. */
    rest() {
      const rest = block.slice(0, filled);
      filled = 0;
      return rest;
    },
  };
}

/** Creates a buffer of the most recent samples of a stream. */
export function createRecentAudio() {
  let store = new Int16Array(1 << 15);
  let start = 0;
  let end = 0;
  return {
    /** Appends a copy of samples. */
    push(samples: Int16Array) {
      if (end + samples.length > store.length) {
        const kept = store.subarray(start, end);
        const size = Math.max(store.length, 2 * (kept.length + samples.length));
        // Moves in place when the dropped part has made enough room.
        const target = size > store.length ? new Int16Array(size) : store;
        target.set(kept);
        store = target;
        end -= start;
        start = 0;
      }
      store.set(samples, end);
      end += samples.length;
    },
    /** Drops all but the last frames. */
    keep(frames: number) {
      start = Math.max(start, end - frames);
    },
    /** Returns a copy of the last frames, or of all when there are fewer. */
    last: (frames: number) => store.slice(Math.max(start, end - frames), end),
  };
}
