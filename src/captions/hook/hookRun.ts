import type { Clock } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { type HookItem, hookItemsOf } from './hookSentence.ts';
import type { HookTransport, NumberedSentence } from './hookTransport.ts';

export interface HookRunOptions {
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
  readonly maxWaiting: number;
  readonly onEvent: (event: LiveEvent) => void;
  /** Returns the error for a sentence without an answer within the timeout. */
  readonly lateError: () => Error;
  readonly onNote?: (note: string) => void;
  readonly onReport?: (report: HookCounts) => void;
  readonly clock: Clock;
}

/** Counters and state of a text hook. */
export interface HookCounts {
  /** Sentences with an answer. */
  readonly answered: number;
  /** Sentences that were given up: no answer in time, a failure, or too many that waited. */
  readonly givenUp: number;
  /** Reason of the last failure; absent while the hook works. */
  readonly failure?: string;
}

/** A sentence on its way. */
interface Task {
  readonly sentence: NumberedSentence;
  readonly isPast: boolean;
  /** Aborted when it has waited too long. */
  readonly givenUp: AbortController;
  state: 'waiting' | 'asked' | 'done';
  answer?: string;
}

interface OpenItem {
  readonly item: HookItem;
  readonly tasks: readonly Task[];
}

/** Maximum number of sentences of the past that wait. */
const MAX_PAST = 500;

/** Sends the sentences of live events to a hook and emits the answers in order. */
export class HookRun {
  readonly #transport: HookTransport;
  readonly #options: HookRunOptions;
  /** Items that are not complete, in order. */
  #items: readonly OpenItem[] = [];
  #nextId = 1;
  #counts: HookCounts = { answered: 0, givenUp: 0 };
  #isStopped = false;
  #onIdle: (() => void) | undefined;

  constructor(transport: HookTransport, options: HookRunOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  take(event: LiveEvent): void {
    for (const item of hookItemsOf(event)) {
      const tasks = item.sentences.map((sentence): Task => {
        const task = {
          sentence: { ...sentence, id: this.#nextId++ },
          isPast: item.isPast === true,
          givenUp: new AbortController(),
          state: 'waiting' as const,
        };
        if (!task.isPast) this.#limitWait(task);
        return task;
      });
      this.#items = [...this.#items, { item, tasks }];
    }
    this.#limitWaiting(task => !task.isPast, this.#options.maxWaiting);
    this.#limitWaiting(task => task.isPast, MAX_PAST);
    this.#goOn();
  }

  /** Resolves when all sentences have an answer or were given up, and the transport is closed. */
  async drain(): Promise<void> {
    for (const task of this.#tasks('waiting')) {
      if (task.isPast) this.#limitWait(task);
    }
    if (this.#items.length > 0 && !this.#isStopped) {
      await new Promise<void>(resolve => {
        this.#onIdle = resolve;
      });
    }
    await this.#transport.close();
  }

  /** Discards all state and closes the transport. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const { tasks } of this.#items) for (const { givenUp } of tasks) givenUp.abort();
    this.#items = [];
    this.#onIdle?.();
    void this.#transport.close();
  }

  #tasks(state: Task['state']): readonly Task[] {
    return this.#items.flatMap(({ tasks }) => tasks).filter(task => task.state === state);
  }

  #limitWait(task: Task): void {
    const { clock, maxWaitMs } = this.#options;
    const reason = () =>
      new RxscribeError('timeout', `A sentence waited for more than ${maxWaitMs / 1000} s.`);
    const cancel = clock.schedule(maxWaitMs, () => this.#giveUp(task, reason()));
    task.givenUp.signal.addEventListener('abort', cancel, { once: true });
  }

  #limitWaiting(concerns: (task: Task) => boolean, limit: number): void {
    const tasks = this.#tasks('waiting').filter(concerns);
    for (const task of tasks.slice(0, Math.max(0, tasks.length - limit)))
      this.#giveUp(task, new RxscribeError('overflow', `More than ${limit} sentences waited.`));
  }

  #giveUp(task: Task, reason: Error): void {
    // A sentence that was sent fails by its abort signal.
    if (task.state === 'asked') task.givenUp.abort(reason);
    if (task.state !== 'waiting') return;
    this.#finish(task, undefined, reason);
    this.#goOn();
  }

  /** Emits complete items, and sends the next sentences: those of live text first. */
  #goOn(): void {
    if (this.#isStopped) return;
    this.#emit();
    const free = this.#transport.concurrency - this.#tasks('asked').length;
    const waiting = this.#tasks('waiting').toSorted((a, b) => Number(a.isPast) - Number(b.isPast));
    for (const next of waiting.slice(0, Math.max(0, free))) void this.#ask(next);
    if (this.#items.length === 0) this.#onIdle?.();
  }

  #emit(): void {
    const isDone = ({ tasks }: OpenItem) => tasks.every(({ state }) => state === 'done');
    const firstOpen = this.#items.findIndex(open => !open.item.isPast && !isDone(open));
    const isReady = (open: OpenItem, index: number) =>
      isDone(open) && (open.item.isPast === true || firstOpen < 0 || index < firstOpen);
    const ready = this.#items.filter(isReady);
    if (ready.length === 0) return;
    this.#items = this.#items.filter((open, index) => !isReady(open, index));
    for (const { item, tasks } of ready)
      for (const event of item.eventsOf(tasks.map(({ answer }) => answer))) this.#options.onEvent(event);
  }

  async #ask(task: Task): Promise<void> {
    const { timeoutMs, lateError, clock } = this.#options;
    const { signal } = task.givenUp;
    task.state = 'asked';
    try {
      const answer = await withDeadline({ timeoutMs, lateError, clock, signal }, either =>
        this.#transport.ask(task.sentence, either),
      );
      this.#finish(task, answer);
    } catch (error) {
      this.#finish(task, undefined, error);
    }
    this.#goOn();
  }

  #finish(task: Task, answer: string | undefined, error?: unknown): void {
    task.state = 'done';
    // Cancels the timer of the wait.
    task.givenUp.abort();
    if (this.#isStopped) return;
    if (answer === undefined) this.#onFailed(error);
    else this.#onAnswered(task, answer);
    this.#options.onReport?.(this.#counts);
  }

  #onAnswered(task: Task, answer: string): void {
    const { answered, givenUp, failure } = this.#counts;
    task.answer = answer;
    this.#counts = { answered: answered + 1, givenUp };
    if (failure !== undefined) this.#options.onNote?.('The text hook works again.');
  }

  #onFailed(error: unknown): void {
    const { answered, givenUp, failure } = this.#counts;
    const reason = reasonOf(error);
    this.#counts = { answered, givenUp: givenUp + 1, failure: reason };
    if (failure === undefined) this.#options.onNote?.(`The text hook fails: ${reason}.`);
  }
}
