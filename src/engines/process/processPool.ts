/** Channels to processes, which are started when they are needed. */
import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { Work, WorkChannel } from './work.ts';

export interface ProcessPoolOptions<Methods, Event, Setup> {
  /** Infinitive that error messages of the pool begin with, such as `diarize`: "Cannot diarize: …". */
  readonly task: string;
  /** Starts a process. */
  readonly start: (setup: Setup) => Work<Methods, Event>;
  /** Checks what a process needs; called before each channel. Default: nothing. */
  readonly check?: () => Promise<void>;
  /** Limit of open channels. Default: none. */
  readonly maxChannels?: number;
  /** Limit of processes with one setup. Default: none. */
  readonly maxProcesses?: number;
  /** Number of channels of a process before another one starts. Default 1. */
  readonly channelsPerProcess?: number;
}

export interface TakeOptions {
  /** True when the process stays loaded after the channel is released. Default true. */
  readonly lasting?: boolean;
  /** True when the channel counts against the limit of the pool. Default true. */
  readonly counts?: boolean;
  readonly signal?: AbortSignal;
}

/** A channel that counts against the limits of its pool until it is released. */
export interface PooledChannel<Methods, Event = never> extends WorkChannel<Methods, Event> {
  /** Closes the channel. Resolves when its process is gone, or at once when that stays loaded. Idempotent. */
  release(): Promise<void>;
}

interface OpenChannel<Methods, Event> extends WorkChannel<Methods, Event> {
  readonly process: Work<Methods, Event>;
}

/**
 * A pool of processes, and of channels to them.
 *
 * Processes with the same setup share the channels evenly. An idle process stays loaded until one with another
 * setup is needed; a process that no other channel can use ends with its channel.
 */
export class ProcessPool<Methods, Event = never, Setup = void> {
  readonly #options: ProcessPoolOptions<Methods, Event, Setup>;
  readonly #processes = new Map<string, Set<Work<Methods, Event>>>();
  #channels = 0;
  #closed = false;

  constructor(options: ProcessPoolOptions<Methods, Event, Setup>) {
    this.#options = options;
  }

  /** Resolves when a process has loaded a setup. */
  async warm(setup: Setup): Promise<void> {
    const channel = await this.#open(setup);
    channel.close();
  }

  /**
   * Opens a channel to a process that has loaded its setup.
   *
   * @throws RxscribeError `unavailable` when all channels are in use or the pool is closed, `engine-missing`,
   *   `engine-failed`; the signal's reason
   */
  async take(
    setup: Setup,
    { lasting = true, counts = true, signal }: TakeOptions = {},
  ): Promise<PooledChannel<Methods, Event>> {
    signal?.throwIfAborted();
    this.#requireOpen();
    const { task, maxChannels = Infinity } = this.#options;
    if (counts && this.#channels >= maxChannels) {
      throw new RxscribeError(
        'unavailable',
        `Cannot ${task}: all ${this.#channels} are in use. Close one, then try again.`,
      );
    }
    const change = counts ? 1 : 0;
    this.#channels += change;
    const forget = () => {
      this.#channels -= change;
    };
    try {
      return this.#releasable(await this.#open(setup, { lasting, signal }), lasting, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Number of channels that count against the limit. */
  get channels(): number {
    return this.#channels;
  }

  /** Ends all processes; pending calls reject with `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#processes.values()].flatMap(processes => [...processes]);
    await Promise.all(all.map(process => process.kill(this.#closedError())));
  }

  async #open(
    setup: Setup,
    { lasting = true, signal }: TakeOptions = {},
  ): Promise<OpenChannel<Methods, Event>> {
    await this.#options.check?.();
    this.#requireOpen();
    if (lasting) await this.#makeRoomFor(setup);
    this.#requireOpen();
    const process = this.#processFor(setup);
    const channel = process.openChannel();
    try {
      await withAbort(process.ready, signal);
      return { ...channel, process };
    } catch (error) {
      channel.close();
      if (!lasting) await this.#endIdle(process);
      this.#requireOpen();
      throw error;
    }
  }

  #releasable(
    channel: OpenChannel<Methods, Event>,
    lasting: boolean,
    forget: () => void,
  ): PooledChannel<Methods, Event> {
    let released: Promise<void> | undefined;
    const release = async () => {
      channel.close();
      if (!lasting) await this.#endIdle(channel.process);
      forget();
    };
    return {
      ...channel,
      release() {
        released ??= release();
        return released;
      },
    };
  }

  #processFor(setup: Setup): Work<Methods, Event> {
    const key = keyOf(setup);
    const all = this.#processes.get(key) ?? new Set();
    const [least] = [...all].sort((one, other) => one.channels - other.channels);
    const { start, channelsPerProcess = 1, maxProcesses = Infinity } = this.#options;
    if (least && (least.channels < channelsPerProcess || all.size >= maxProcesses)) return least;
    const process = start(setup);
    this.#processes.set(key, all.add(process));
    void process.ended.then(() => this.#forget(process));
    return process;
  }

  /** Ends idle processes: loaded models are large, and one for each language ever used would take too much memory. */
  async #makeRoomFor(setup: Setup): Promise<void> {
    if (this.#processes.has(keyOf(setup))) return;
    const others = [...this.#processes.values()].flatMap(all => [...all]);
    await Promise.all(others.map(each => this.#endIdle(each)));
  }

  async #endIdle(process: Work<Methods, Event>): Promise<void> {
    if (process.channels > 0) return;
    // A process that is ending must not be taken.
    this.#forget(process);
    await process.kill();
  }

  #forget(process: Work<Methods, Event>): void {
    for (const [key, all] of this.#processes) {
      if (all.delete(process) && all.size === 0) this.#processes.delete(key);
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw this.#closedError();
  }

  #closedError(): RxscribeError {
    return new RxscribeError('unavailable', `Cannot ${this.#options.task}: the engine is closed.`);
  }
}

function keyOf(setup: unknown): string {
  return JSON.stringify(setup ?? null);
}
