import type { Random } from '../../base/seeded.ts';
import type { PlayFault } from './faultSchedule.ts';

/** Faults by which messages are missing, come twice, or come in another order. */
export type OrderFault = Extract<PlayFault, { readonly kind: 'reorder' | 'duplicate' | 'drop' }>;

/** Which messages are said, and in what order. It knows no time, so that the same seed gives the same order. */
export class MessageOrder<Message> {
  readonly #random: Random;
  #drops = 0;
  #copies = 0;
  /** Those that wait to be shuffled, and how many they are to become. */
  #shuffle: { readonly messages: Message[]; readonly count: number } | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  fault(fault: OrderFault): void {
    if (fault.kind === 'reorder') this.#shuffle ??= { messages: [], count: fault.messages };
    else if (fault.kind === 'duplicate') this.#copies++;
    else this.#drops++;
  }

  /** What is to be said now that a message has come. */
  next(message: Message): readonly Message[] {
    if (this.#drops > 0) {
      this.#drops--;
      return [];
    }
    const copies = new Array<Message>(1 + this.#copies).fill(message);
    this.#copies = 0;
    if (!this.#shuffle) return copies;
    this.#shuffle.messages.push(...copies);
    return this.#shuffle.messages.length >= this.#shuffle.count ? this.rest() : [];
  }

  /** All that waits, shuffled as Fisher and Yates do, from the end. */
  rest(): readonly Message[] {
    const messages = this.#shuffle?.messages ?? [];
    this.#shuffle = undefined;
    for (let left = messages.length - 1; left > 0; left--) {
      const at = Math.floor(this.#random() * (left + 1));
      [messages[at], messages[left]] = [messages[left]!, messages[at]!];
    }
    return messages;
  }
}
