import { access } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { startChildProcess } from '../process/childProcess.ts';
import { entryBeside, startWork, type Work, type WorkChannel } from '../process/work.ts';
import type { RecognizerResult } from '../recognizer.ts';
import type { SherpaTask } from './tasks.ts';

/** A large model on a slow disk loads slowly. */
const LOAD_TIMEOUT_MS = 180_000;

export interface SherpaPoolOptions {
  readonly model: ModelDirectory;
  /** Limit of open channels. */
  readonly maxChannels: number;
  /** Limit of processes for one task. */
  readonly maxProcesses: number;
  /** Number of channels of a process before another one starts. */
  readonly channelsPerProcess: number;
}

export interface TakeOptions {
  /** True when the process stays loaded after the channel is released. Default true. */
  readonly lasting?: boolean;
  /** True when the channel counts against the limit of the pool. Default true. */
  readonly counts?: boolean;
  readonly signal?: AbortSignal;
}

/** A channel that counts against the limits of its pool until it is released. */
export interface PooledChannel<Methods> extends WorkChannel<Methods, RecognizerResult> {
  /** Closes the channel. Resolves when its process is gone, or at once when that stays loaded. Idempotent. */
  release(): Promise<void>;
}

type SherpaProcess<Methods> = Work<Methods, RecognizerResult>;

interface OpenChannel<Methods> extends WorkChannel<Methods, RecognizerResult> {
  readonly process: SherpaProcess<Methods>;
}

/**
 * A pool of processes with a model, and of channels to them.
 *
 * Processes with the same task share the channels evenly. An idle process stays loaded until one with another
 * task is needed; a process that no other channel can use ends with its channel.
 */
export class SherpaPool<Methods> {
  readonly #options: SherpaPoolOptions;
  readonly #processes = new Map<string, Set<SherpaProcess<Methods>>>();
  #channels = 0;
  #closed = false;

  constructor(options: SherpaPoolOptions) {
    this.#options = options;
  }

  /** Resolves when a process has loaded the model for a task. */
  async warm(task: SherpaTask): Promise<void> {
    const channel = await this.#open(task);
    channel.close();
  }

  /**
   * Opens a channel to a process that has loaded its model.
   *
   * @throws RxscribeError `unavailable` when all channels are in use or the pool is closed, `engine-missing`,
   *   `engine-failed`; the signal's reason
   */
  async take(
    task: SherpaTask,
    { lasting = true, counts = true, signal }: TakeOptions = {},
  ): Promise<PooledChannel<Methods>> {
    signal?.throwIfAborted();
    this.#requireOpen();
    if (counts && this.#channels >= this.#options.maxChannels) {
      throw new RxscribeError(
        'unavailable',
        `Cannot open a sherpa-onnx session: all ${this.#channels} are in use. Close one, then try again.`,
      );
    }
    const change = counts ? 1 : 0;
    this.#channels += change;
    const forget = () => {
      this.#channels -= change;
    };
    try {
      return this.#releasable(await this.#open(task, { lasting, signal }), lasting, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Number of channels that count against the limit. */
  get channels(): number {
    return this.#channels;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes.values()].flatMap(all => [...all].map(each => each.kill())));
  }

  async #open(task: SherpaTask, { lasting = true, signal }: TakeOptions = {}): Promise<OpenChannel<Methods>> {
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
      channel.close();
      if (!lasting) await this.#endIdle(process);
      this.#requireOpen();
      throw error;
    }
  }

  #releasable(channel: OpenChannel<Methods>, lasting: boolean, forget: () => void): PooledChannel<Methods> {
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

  #processFor(task: SherpaTask): SherpaProcess<Methods> {
    const key = JSON.stringify(task);
    const all = this.#processes.get(key) ?? new Set();
    const least = [...all].sort((one, other) => one.channels - other.channels)[0];
    const { channelsPerProcess, maxProcesses } = this.#options;
    if (least && (least.channels < channelsPerProcess || all.size >= maxProcesses)) return least;
    const process = startSherpa<Methods>(this.#options.model, task);
    this.#processes.set(key, all.add(process));
    void process.ended.then(() => this.#forget(process));
    return process;
  }

  /** Ends idle processes: loaded models are large, and one for each language ever used would take too much memory. */
  async #makeRoomFor(task: SherpaTask): Promise<void> {
    if (this.#processes.has(JSON.stringify(task))) return;
    const others = [...this.#processes.values()].flatMap(all => [...all]);
    await Promise.all(others.map(each => this.#endIdle(each)));
  }

  async #endIdle(process: SherpaProcess<Methods>): Promise<void> {
    if (process.channels > 0) return;
    // It must not be taken while it ends.
    this.#forget(process);
    await process.kill();
  }

  #forget(process: SherpaProcess<Methods>): void {
    for (const [key, all] of this.#processes) {
      if (all.delete(process) && all.size === 0) this.#processes.delete(key);
    }
  }

  #requireOpen(): void {
    if (!this.#closed) return;
    throw new RxscribeError('unavailable', 'Cannot open a sherpa-onnx session: the engine is closed.');
  }
}

/**
 * Makes sure that the files of a model can be read, since the library does not always name the missing one.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function requireModelFiles(model: ModelDirectory): Promise<void> {
  for (const [name, file] of Object.entries(model.files)) {
    try {
      await access(file);
    } catch (cause) {
      const message = `Cannot load the model '${model.path}': its ${name} '${file}' is missing.`;
      throw new RxscribeError('engine-missing', message, { cause });
    }
  }
}

function startSherpa<Methods>(model: ModelDirectory, task: SherpaTask): SherpaProcess<Methods> {
  return startWork(startChildProcess(entryBeside(import.meta, 'child')), {
    task: `run sherpa-onnx with '${model.path}'`,
    setup: task,
    readyTimeoutMs: LOAD_TIMEOUT_MS,
    complaintIn,
  });
}

/** Returns the last line that the library logged, without its source location. */
function complaintIn(logged: string): string | undefined {
  const line = logged.split('\n').findLast(each => /\S/.test(each) && !/^\s*(at |Node\.js)/.test(each));
  return line?.replace(/^.*?\.(?:cc|h):\w+:\d+\s*/, '').slice(0, 300);
}
