/** Things of which the two that are nearest to each other are wanted again and again. */
export interface NearestPairs {
  /** The nearest two, the lower index first; undefined when fewer than two are left. */
  nearest(): readonly [one: number, other: number] | undefined;
  /** Takes one away, and another for changed. */
  join(kept: number, gone: number): void;
}

/**
 * Pairs of so many things, by their distances, which are asked for once and again when a thing has changed. It keeps
 * them all: 8 bytes for each pair and its mirror.
 */
export function createNearestPairs(
  size: number,
  distance: (one: number, other: number) => number,
): NearestPairs {
  const distances = new Float64Array(size * size);
  const left = new Set(Array.from({ length: size }, (_, index) => index));
  /** Of each, the nearest of those that come after it; -1 when there is none. */
  const nearest = new Int32Array(size).fill(-1);
  const between = (one: number, other: number) =>
    other < 0 ? Number.POSITIVE_INFINITY : distances[one * size + other]!;

  function measure(one: number, other: number): void {
    const [first, second] = one < other ? [one, other] : [other, one];
    distances[first * size + second] = distance(first, second);
  }
  function findNearest(one: number): void {
    nearest[one] = -1;
    for (const other of left) {
      if (other > one && between(one, other) < between(one, nearest[one]!)) nearest[one] = other;
    }
  }

  for (const one of left) {
    for (let other = one + 1; other < size; other++) measure(one, other);
    findNearest(one);
  }
  return {
    nearest() {
      let best: number | undefined;
      for (const one of left) {
        if (best === undefined || between(one, nearest[one]!) < between(best, nearest[best]!)) best = one;
      }
      return best === undefined || nearest[best]! < 0 ? undefined : [best, nearest[best]!];
    },
    join(kept, gone) {
      left.delete(gone);
      for (const other of left) if (other !== kept) measure(kept, other);
      for (const one of left) {
        if (one === kept || nearest[one] === kept || nearest[one] === gone) findNearest(one);
        else if (one < kept && between(one, kept) < between(one, nearest[one]!)) nearest[one] = kept;
      }
    },
  };
}
