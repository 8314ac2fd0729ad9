/** Counts by key, such as an account. A count of 0 takes no memory. */
export interface Tally {
  of(key: string): number;
  add(key: string, change: number): void;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key, change) {
      const now = of(key) + change;
      if (now === 0) counts.delete(key);
      else counts.set(key, now);
    },
  };
}
