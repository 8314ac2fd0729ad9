import { PairTable } from './pairTable.ts';

/** Where a sequence stands: the contexts of 0, 1, 2, … symbols before, as far as they are known. */
export type Place = readonly number[];

/** The discounts of counts 1, 2, and 3 or more. */
type Discounts = readonly [number, number, number];

/**
 * How likely a symbol is after those before it: an n-gram model with interpolated, modified Kneser-Ney smoothing.
 *
 * Chen and Goodman, "An empirical study of smoothing techniques for language modeling" (1998), section 3.
 * Symbols are whole numbers below `MAX_SECOND` of the pair table.
 */
export class SequenceModel {
  readonly #order: number;
  /** Contexts as paths back in time; number 0 is the empty one, and those of the table count from 1. */
  readonly #contexts = new PairTable();
  /** Symbols in contexts. */
  readonly #events = new PairTable();
  #counts = new Int32Array(1 << 16);
  #contextOf = new Int32Array(1 << 16);
  readonly #lengths: number[] = [0];
  #discounts: readonly Discounts[] = [];
  #totals = new Float64Array(0);
  /** What a context leaves to the shorter ones. */
  #rests = new Float64Array(0);
  #vocabulary = 1;

  /** @param order symbols that are looked at together */
  constructor(order: number) {
    this.#order = order;
  }

  /** Counts a sequence; the first symbol says that it begins. */
  learn(symbols: ArrayLike<number>): void {
    const places = [0];
    for (let at = 1; at < symbols.length; at++) {
      const longest = Math.min(at, this.#order - 1);
      for (let length = 1; length <= longest; length++) {
        places[length] = this.#contexts.add(places[length - 1]!, symbols[at - length]!) + 1;
        if (places[length] === this.#lengths.length) this.#lengths.push(length);
      }
      // A shorter context counts the different longer ones, not how often they came: that is Kneser and Ney's idea.
      for (let length = longest; length >= 0; length--) {
        if (!this.#count(places[length]!, symbols[at]!)) break;
      }
    }
  }

  /** Makes ready to be asked; nothing can be learned after it. */
  finish(): void {
    const numbers = this.#countsOfCounts();
    this.#discounts = numbers.map(discountsOf);
    this.#totals = new Float64Array(this.#contexts.size + 1);
    this.#rests = new Float64Array(this.#contexts.size + 1);
    for (let event = 0; event < this.#events.size; event++) {
      const context = this.#contextOf[event]!;
      this.#totals[context]! += this.#counts[event]!;
      this.#rests[context]! += this.#discountOf(context, this.#counts[event]!);
      if (context === 0) this.#vocabulary += 1;
    }
    for (const [context, total] of this.#totals.entries()) if (total > 0) this.#rests[context]! /= total;
  }

  /** Where one stands after symbols, the last of which is the last said. */
  placeAfter(symbols: readonly number[]): Place {
    const places = [0];
    for (let length = 1; length < this.#order && length <= symbols.length; length++) {
      const context = this.#contexts.find(places[length - 1]!, symbols[symbols.length - length]!);
      if (context < 0) break;
      places.push(context + 1);
    }
    return places;
  }

  probability(place: Place, symbol: number): number {
    let probability = 1 / this.#vocabulary;
    for (const context of place) {
      const total = this.#totals[context]!;
      if (total === 0) break;
      const event = this.#events.find(context, symbol);
      const count = event < 0 ? 0 : this.#counts[event]!;
      const own = count === 0 ? 0 : (count - this.#discountOf(context, count)) / total;
      probability = own + this.#rests[context]! * probability;
    }
    return probability;
  }

  /** Whether that was the first time. */
  #count(context: number, symbol: number): boolean {
    const isNew = this.#events.find(context, symbol) < 0;
    const event = this.#events.add(context, symbol);
    if (event === this.#counts.length) {
      this.#counts = doubled(this.#counts);
      this.#contextOf = doubled(this.#contextOf);
    }
    this.#counts[event]! += 1;
    this.#contextOf[event] = context;
    return isNew;
  }

  /** How many events came once, twice, … four times, by the length of their context. */
  #countsOfCounts(): readonly number[][] {
    const numbers = Array.from({ length: this.#order }, () => [0, 0, 0, 0, 0]);
    for (let event = 0; event < this.#events.size; event++) {
      const count = this.#counts[event]!;
      const length = this.#lengths[this.#contextOf[event]!]!;
      if (count <= 4) numbers[length]![count]! += 1;
    }
    return numbers;
  }

  #discountOf(context: number, count: number): number {
    return this.#discounts[this.#lengths[context]!]![Math.min(3, count) - 1]!;
  }
}

/** Chen and Goodman's estimate, kept above 0 where counts are few. */
function discountsOf([, once = 0, twice = 0, thrice = 0, four = 0]: readonly number[]): Discounts {
  const share = once === 0 ? 0.5 : once / (once + 2 * twice);
  const estimate = (count: number, lower: number, higher: number) =>
    Math.min(count, Math.max(0.05, lower === 0 ? 0.5 : count - ((count + 1) * share * higher) / lower));
  return [estimate(1, once, twice), estimate(2, twice, thrice), estimate(3, thrice, four)];
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
