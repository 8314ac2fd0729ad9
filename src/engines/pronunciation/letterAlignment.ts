/** A word with its pronunciation: letters as numbers from 0, phones from 1. */
export interface CodedWord {
  readonly letters: Uint8Array;
  readonly phones: Uint8Array;
}

/** Limit of the phones of a letter: "x" has two. */
const MAX_PHONES = 2;
/** Initial weights of 0, 1 and 2 phones for a letter. */
const FIRST_WEIGHTS = [0.1, 0.8, 0.1] as const;
/** Least weight of a unit, so that rare words can be aligned. */
const FLOOR = 1e-9;

/**
 * An alignment of letters and phones, learned from words with pronunciations by expectation maximisation.
 *
 * A unit is a letter with its 0 to 2 phones, as one number.
 */
export class LetterAlignment {
  readonly #base: number;
  #weights: Float64Array;
  #counts: Float64Array;
  /** Forward and backward probabilities, a row for each letter. */
  #forward = new Float64Array(1024);
  #backward = new Float64Array(1024);
  #steps = new Uint8Array(1024);

  constructor(letterCount: number, phoneCount: number) {
    this.#base = phoneCount + 1;
    this.#weights = new Float64Array(letterCount * this.#base ** 2);
    this.#counts = new Float64Array(this.#weights.length);
    for (let unit = 0; unit < this.#weights.length; unit++) {
      const count = this.phonesOf(unit).length;
      this.#weights[unit] = FIRST_WEIGHTS[count]! / phoneCount ** count;
    }
  }

  /** Returns the phones of a unit. */
  phonesOf(unit: number): readonly number[] {
    const phones = [Math.floor(unit / this.#base) % this.#base, unit % this.#base];
    return phones.filter(phone => phone > 0);
  }

  /** Returns the letter of a unit. */
  letterOf(unit: number): number {
    return Math.floor(unit / this.#base ** 2);
  }

  /** Learns from words in one pass; several are needed. */
  learn(words: readonly CodedWord[]): void {
    let total = 0;
    for (const word of words) {
      if (this.#expect(word)) total += word.letters.length;
    }
    if (total === 0) return;
    for (const [unit, count] of this.#counts.entries()) this.#weights[unit] = count / total + FLOOR;
    this.#counts.fill(0);
  }

  /**
   * Returns the likeliest units of a word, one for each letter; undefined when it has too many phones for its
   * letters.
   */
  align(word: CodedWord): Int32Array | undefined {
    const { letters, phones } = word;
    if (!this.#begin(word)) return undefined;
    const best = this.#forward;
    const steps = this.#steps;
    const width = phones.length + 1;
    for (let row = 0; row < letters.length; row++) {
      for (let said = 0; said < width; said++) {
        const here = best[row * width + said]!;
        for (let step = 0; here > 0 && step <= MAX_PHONES && said + step < width; step++) {
          const there = (row + 1) * width + said + step;
          const weight = here * this.#weights[this.#unitAt(word, row, said, step)]!;
          if (weight <= best[there]!) continue;
          best[there] = weight;
          steps[there] = step;
        }
      }
    }
    const units = new Int32Array(letters.length);
    let said = phones.length;
    for (let row = letters.length; row > 0; row--) {
      const step = steps[row * width + said]!;
      said -= step;
      units[row - 1] = this.#unitAt(word, row - 1, said, step);
    }
    return units;
  }

  /** Adds the expected counts of a word's units. False when the word cannot be aligned. */
  #expect(word: CodedWord): boolean {
    if (!this.#begin(word)) return false;
    const { letters, phones } = word;
    const forward = this.#forward;
    const backward = this.#backward;
    const width = phones.length + 1;
    for (let row = 0; row < letters.length; row++) {
      for (let said = 0; said < width; said++) {
        const here = forward[row * width + said]!;
        for (let step = 0; here > 0 && step <= MAX_PHONES && said + step < width; step++) {
          const unit = this.#unitAt(word, row, said, step);
          forward[(row + 1) * width + said + step]! += here * this.#weights[unit]!;
        }
      }
    }
    const all = forward[letters.length * width + phones.length]!;
    backward[letters.length * width + phones.length] = 1;
    for (let row = letters.length - 1; row >= 0; row--) {
      for (let said = 0; said < width; said++) {
        let sum = 0;
        for (let step = 0; step <= MAX_PHONES && said + step < width; step++) {
          const unit = this.#unitAt(word, row, said, step);
          const rest = this.#weights[unit]! * backward[(row + 1) * width + said + step]!;
          this.#counts[unit]! += (forward[row * width + said]! * rest) / all;
          sum += rest;
        }
        backward[row * width + said] = sum;
      }
    }
    return true;
  }

  /** Clears the tables for a word; false when it cannot be aligned. */
  #begin({ letters, phones }: CodedWord): boolean {
    if (phones.length > MAX_PHONES * letters.length) return false;
    const size = (letters.length + 1) * (phones.length + 1);
    if (size > this.#steps.length) {
      this.#forward = new Float64Array(2 * size);
      this.#backward = new Float64Array(2 * size);
      this.#steps = new Uint8Array(2 * size);
    }
    this.#forward.fill(0, 0, size);
    this.#backward.fill(0, 0, size);
    this.#forward[0] = 1;
    return true;
  }

  #unitAt({ letters, phones }: CodedWord, row: number, said: number, step: number): number {
    const first = step > 0 ? phones[said]! : 0;
    const second = step > 1 ? phones[said + 1]! : 0;
    return (letters[row]! * this.#base + first) * this.#base + second;
  }
}
