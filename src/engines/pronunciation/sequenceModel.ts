import { PairTable } from './pairTable.ts';

/** Position in a sequence: the known contexts of 0, 1, 2, … preceding symbols. */
export type Place = readonly number[];

/** Discounts of the counts 1, 2, and 3 or more. */
type Discounts = readonly [number, number, number];

/**
 * An n-gram model with interpolated, modified Kneser-Ney smoothing: Chen and Goodman, "An empirical study of
 * smoothing techniques for language modeling" (1998), section 3.
 *
 * Symbols are integers below `MAX_SECOND` of the pair table.
 */
export class SequenceModel {
  readonly #order: number;
  /** Contexts as paths back in time. Number 0 is the empty one; those of the table count from 1. */
  readonly #contexts = new PairTable();
  /** Symbols in contexts. */
  readonly #events = new PairTable();
  #counts = new Int32Array(1 << 16);
  #contextOf = new Int32Array(1 << 16);
  #symbolOf = new Int32Array(1 << 16);
  /** Lengths of contexts, and the contexts without their oldest symbol. */
  readonly #lengths: number[] = [0];
  readonly #parents: number[] = [0];
  /** Probabilities of events, interpolated with shorter contexts. */
  #probabilities = new Float64Array(0);
  /** Weight that a context leaves to shorter ones. */
  #rests = new Float64Array(0);
  /** Probability of an unknown symbol. */
  #least = 1;

  /** @param order length of a context with its next symbol */
  constructor(order: number) {
    this.#order = order;
  }

  /** Counts a sequence, whose first symbol marks its start. */
  learn(symbols: ArrayLike<number>): void {
    const places = [0];
    for (let at = 1; at < symbols.length; at++) {
      const longest = Math.min(at, this.#order - 1);
      for (let length = 1; length <= longest; length++) {
        places[length] = this.#contexts.add(places[length - 1]!, symbols[at - length]!) + 1;
        if (places[length] === this.#lengths.length) {
          this.#lengths.push(length);
          this.#parents.push(places[length - 1]!);
        }
      }
      // A shorter context counts distinct longer ones, not their frequency: the idea of Kneser and Ney.
      for (let length = longest; length >= 0; length--) {
        if (!this.#count(places[length]!, symbols[at]!)) break;
      }
    }
  }

  /** Computes the probabilities; ends learning. */
  finish(): void {
    const discounts = this.#countsOfCounts().map(discountsOf);
    const discountOf = (event: number) =>
      discounts[this.#lengths[this.#contextOf[event]!]!]![Math.min(3, this.#counts[event]!) - 1]!;
    const totals = new Float64Array(this.#lengths.length);
    this.#rests = new Float64Array(this.#lengths.length);
    let vocabulary = 1;
    for (let event = 0; event < this.#events.size; event++) {
      const context = this.#contextOf[event]!;
      totals[context]! += this.#counts[event]!;
      this.#rests[context]! += discountOf(event);
      if (context === 0) vocabulary += 1;
    }
    for (const [context, total] of totals.entries()) {
      this.#rests[context] = total === 0 ? 1 : this.#rests[context]! / total;
    }
    this.#least = 1 / vocabulary;
    this.#probabilities = new Float64Array(this.#events.size);
    for (const event of this.#eventsByLength()) {
      const context = this.#contextOf[event]!;
      const own = (this.#counts[event]! - discountOf(event)) / totals[context]!;
      this.#probabilities[event] =
        own + this.#rests[context]! * this.#shorter(context, this.#symbolOf[event]!);
    }
  }

  /** Returns the position after symbols, in their order. */
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
    let share = 1;
    for (let length = place.length - 1; length >= 0; length--) {
      const event = this.#events.find(place[length]!, symbol);
      if (event >= 0) return share * this.#probabilities[event]!;
      share *= this.#rests[place[length]!]!;
    }
    return share * this.#least;
  }

  /** Returns the probability in the next shorter context, which has every event of the longer one. */
  #shorter(context: number, symbol: number): number {
    if (context === 0) return this.#least;
    return this.#probabilities[this.#events.find(this.#parents[context]!, symbol)]!;
  }

  /** Yields all events, those of shorter contexts first. */
  *#eventsByLength(): Generator<number> {
    for (let length = 0; length < this.#order; length++) {
      for (let event = 0; event < this.#events.size; event++) {
        if (this.#lengths[this.#contextOf[event]!] === length) yield event;
      }
    }
  }

  /** Counts an event. Returns whether it is new. */
  #count(context: number, symbol: number): boolean {
    const isNew = this.#events.find(context, symbol) < 0;
    const event = this.#events.add(context, symbol);
    if (event === this.#counts.length) {
      this.#counts = doubled(this.#counts);
      this.#contextOf = doubled(this.#contextOf);
      this.#symbolOf = doubled(this.#symbolOf);
    }
    this.#counts[event]! += 1;
    this.#contextOf[event] = context;
    this.#symbolOf[event] = symbol;
    return isNew;
  }

  /** Returns the numbers of events that occurred once to four times, by length of context. */
  #countsOfCounts(): readonly number[][] {
    const numbers = Array.from({ length: this.#order }, () => [0, 0, 0, 0, 0]);
    for (let event = 0; event < this.#events.size; event++) {
      const count = this.#counts[event]!;
      const length = this.#lengths[this.#contextOf[event]!]!;
      if (count <= 4) numbers[length]![count]! += 1;
    }
    return numbers;
  }
}

/** Returns Chen and Goodman's estimate, kept above 0 for small counts. */
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
