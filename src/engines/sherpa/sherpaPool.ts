import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import type { SherpaTask } from './messages.ts';
import { requireModelFiles } from './requireModelFiles.ts';
import { type SherpaChannel, type SherpaProcess, startSherpa } from './sherpaProcess.ts';

export interface SherpaPoolOptions {
  readonly model: ModelDirectory;
  /** Channels at a time. */
  readonly maxChannels: number;
  /** Processes for one task. */
  readonly maxProcesses: number;
  /** A process has this many channels before another one starts. */
  readonly channelsPerProcess: number;
}

export interface TakeOptions {
  /** Whether the process stays when the channel is given back. Default true. */
  readonly lasting?: boolean;
  readonly signal?: AbortSignal;
}

/** A channel that counts until it is given back. */
export interface PooledChannel extends SherpaChannel {
  /** Gives it back; resolves when its process is gone, if nobody else needs that. Idempotent. */
  release(): Promise<void>;
}

/**
 * Processes with a model, a bounded number of channels over them.
 *
 * Processes of the same task share the work evenly. One without channels stays loaded for the next, until a process for
 * another task is to stay; one that nobody else could use ends at once.
 */
export class SherpaPool {
  readonly #options: SherpaPoolOptions;
  readonly #processes = new Map<string, Set<SherpaProcess>>();
  #channels = 0;
  #closed = false;

  constructor(options: SherpaPoolOptions) {
    this.#options = options;
  }

  /** Loads the model for a task, and waits for it. */
  async warm(task: SherpaTask): Promise<void> {
    const channel = await this.#open(task);
    channel.drop();
  }

  /**
   * A channel to a process that has loaded its model.
   *
   * @throws RxscribeError `unavailable` when all are in use or the pool is closed, `engine-missing`, `engine-failed`; the signal's reason
   */
  async take(task: SherpaTask, { lasting = true, signal }: TakeOptions = {}): Promise<PooledChannel> {
    signal?.throwIfAborted();
    this.#requireOpen();
    if (this.#channels >= this.#options.maxChannels) {
      throw new RxscribeError('unavailable', `open sherpa-onnx session: all ${this.#channels} are in use`);
    }
    this.#channels += 1;
    try {
      return this.#counted(await this.#open(task, { lasting, signal }), lasting);
    } catch (error) {
      this.#channels -= 1;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes.values()].flatMap(all => [...all].map(each => each.kill())));
  }

  async #open(
    task: SherpaTask,
    { lasting = true, signal }: TakeOptions = {},
  ): Promise<SherpaChannel & { readonly process: SherpaProcess }> {
    await requireModelFiles(this.#options.model);
    this.#requireOpen();
    if (lasting) await this.#makeRoomFor(task);
    this.#requireOpen();
    const process = this.#processFor(task);
    const channel = process.openChannel();
    try {
      await withAbort(process.ready, signal);
      return { ...channel, process };
    } catch (error) {
      channel.drop();
      if (!lasting) await this.#endIdle(process);
      this.#requireOpen();
      throw error;
    }
  }

  #counted(channel: SherpaChannel & { readonly process: SherpaProcess }, lasting: boolean): PooledChannel {
    let released: Promise<void> | undefined;
    const release = async () => {
      channel.drop();
      if (!lasting) await this.#endIdle(channel.process);
      this.#channels -= 1;
    };
    return {
      ...channel,
      release() {
        released ??= release();
        return released;
      },
    };
  }

  #processFor(task: SherpaTask): SherpaProcess {
    const key = JSON.stringify(task);
    const all = this.#processes.get(key) ?? new Set();
    const least = [...all].sort((one, other) => one.load - other.load)[0];
    const { channelsPerProcess, maxProcesses } = this.#options;
    if (least && (least.load < channelsPerProcess || all.size >= maxProcesses)) return least;
    const process = startSherpa(this.#options.model, task);
    this.#processes.set(key, all.add(process));
    void process.ended.then(() => this.#forget(process));
    return process;
  }

  /** Loaded models are large: one for each language that was ever asked for would be too much. */
  async #makeRoomFor(task: SherpaTask): Promise<void> {
    if (this.#processes.has(JSON.stringify(task))) return;
    const others = [...this.#processes.values()].flatMap(all => [...all]);
    await Promise.all(others.map(each => this.#endIdle(each)));
  }

  async #endIdle(process: SherpaProcess): Promise<void> {
    if (process.load > 0) return;
    // Nobody else may take it while it is going.
    this.#forget(process);
    await process.kill();
  }

  #forget(process: SherpaProcess): void {
    for (const [key, all] of this.#processes) {
      if (all.delete(process) && all.size === 0) this.#processes.delete(key);
    }
  }

  #requireOpen(): void {
    if (!this.#closed) return;
    throw new RxscribeError('unavailable', 'open sherpa-onnx session: the engine is closed');
  }
}
