import { createGate } from './gate.ts';

/** Seconds that a source may be ahead of its consumer: what operators between them may buffer. */
const WINDOW_SECONDS = 10;

/** Milliseconds without progress after which emitted values count as dropped by an operator. */
const LOSS_MS = 250;

/** Key of the mark that a source puts on its values. A copy by `{ ...value }` has the mark as well. */
export const MARK = Symbol('mark of the source');

/** The origin of a value. */
export interface SourceMark {
  readonly supply: Supply;
  /** End of the value on the clock of its source. */
  readonly seconds: number;
}

/** A value that may have a mark. An operator that makes new values copies the mark of the latest one it has received. */
export interface Marked {
  readonly [MARK]?: SourceMark;
}

/** Demand of the consumer whose call of `subscribe()` is running. */
let current: Demand | undefined;

function withDemand<T>(demand: Demand | undefined, action: () => T): T {
  const outer = current;
  current = demand;
  try {
    return action();
  } finally {
    current = outer;
  }
}

/**
 * Back pressure from one consumer to the sources above it, without an option.
 *
 * RxJS has none of its own, but `subscribe()` travels up through all operators within one call: a source that can wait finds
 * the consumer there, then stays at most {@link WINDOW_SECONDS} ahead of the values which the consumer has received, and waits
 * while its gate is held. A source that is subscribed later, as by `retry()`, finds the consumer by the mark of its first value.
 */
export class Demand {
  /** Held by the consumer while it has enough. */
  readonly gate = createGate();
  readonly #supplies = new Set<Supply>();
  #isClosed = false;

  /** Calls a function that subscribes to the sources. */
  subscribing<T>(subscribe: () => T): T {
    return withDemand(this, subscribe);
  }

  /** Counts a value that has been received, which ends at a second of the source. */
  received({ [MARK]: mark }: Marked, endSeconds: number): void {
    if (this.#isClosed) return;
    if (mark) mark.supply.received(this, mark.seconds);
    else for (const supply of this.#supplies) supply.received(this, endSeconds);
  }

  /** Called by a source that waits for this consumer from now on. */
  join(supply: Supply): void {
    this.#supplies.add(supply);
  }

  /** Ends all waits of sources for this consumer. Idempotent. */
  close(): void {
    this.#isClosed = true;
    for (const supply of this.#supplies) supply.leave(this);
    this.#supplies.clear();
  }
}

/** The progress of one consumer in the values of a source. */
interface Progress {
  receivedSeconds: number;
  /** Second up to which values counted as dropped. */
  droppedSeconds: number;
  /** Milliseconds without progress after which more values count as dropped. */
  lossMs: number;
}

/** One subscription of a source that can wait for its consumers. */
export class Supply {
  readonly #demand = current;
  readonly #consumers = new Map<Demand, Progress>();
  /** Ends the wait for progress. */
  #wake = () => {};

  constructor() {
    if (current) this.#join(current);
  }

  /** Returns the mark of a value. */
  mark(seconds: number): SourceMark {
    return { supply: this, seconds };
  }

  /**
   * Resolves when all consumers want values beyond a second. Values that an operator drops reach no consumer: after each {@link
   * LOSS_MS} without progress, the source emits another window.
   *
   * @throws the reason of the signal
   */
  async whenWanted(seconds: number, signal: AbortSignal): Promise<void> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        const held = [...this.#consumers.keys()].find(({ gate }) => !gate.isOpen);
        const late = [...this.#consumers.values()].find(
          ({ receivedSeconds }) => seconds - receivedSeconds > WINDOW_SECONDS,
        );
        if (held) await held.gate.whenOpen(signal);
        else if (late) await this.#progress(late, seconds);
        else return;
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  /** Calls a function that ends the values: `concat()`, `repeat()` and `retry()` subscribe to the next source within it. */
  end(emit: () => void): void {
    withDemand(this.#demand, emit);
  }

  /** Called by a consumer, with the end of a value. */
  received(demand: Demand, seconds: number): void {
    const progress = this.#consumers.get(demand) ?? this.#join(demand);
    if (seconds < progress.droppedSeconds) {
      // The values were only late, so the next ones get more time.
      progress.lossMs *= 2;
      progress.droppedSeconds = 0;
    }
    progress.receivedSeconds = seconds;
    this.#wake();
  }

  /** Called by a consumer that wants no more values. */
  leave(demand: Demand): void {
    this.#consumers.delete(demand);
    this.#wake();
  }

  #join(demand: Demand): Progress {
    const progress = { receivedSeconds: 0, droppedSeconds: 0, lossMs: LOSS_MS };
    this.#consumers.set(demand, progress);
    demand.join(this);
    return progress;
  }

  /** Resolves at the next progress of any consumer, or when the values emitted to a late consumer count as dropped. */
  #progress(late: Progress, seconds: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        late.receivedSeconds = seconds;
        late.droppedSeconds = seconds;
        resolve();
      }, late.lossMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
