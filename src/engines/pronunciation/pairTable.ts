/** Limit of the second number of a pair, exclusive. */
export const MAX_SECOND = 1 << 12;

/** Assigns numbers 0, 1, 2, … to pairs of integers in order of appearance. */
export class PairTable {
  #numbers = new Map<number, number>();

  get size(): number {
    return this.#numbers.size;
  }

  /** Returns the number of a pair, or -1 for an unknown one. */
  find(first: number, second: number): number {
    return this.#numbers.get(first * MAX_SECOND + second) ?? -1;
  }

  /** Returns the number of a pair, which is the former `size` for a new one. */
  add(first: number, second: number): number {
    const found = this.find(first, second);
    if (found < 0) this.#numbers.set(first * MAX_SECOND + second, this.size);
    return found < 0 ? this.size - 1 : found;
  }
}
