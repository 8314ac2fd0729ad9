import { extname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { startWorkProcess } from '../process/workProcess.ts';
import type { Answer, FromSherpa, Question, SherpaTask, ToSherpa } from './messages.ts';

/** A large model on a slow disk takes its time. */
const LOAD_TIMEOUT_MS = 180_000;

/** One of the things that a process does at a time. */
export interface SherpaChannel {
  /** Resolves when the process is gone, with what to tell those who needed it. */
  readonly ended: Promise<RxscribeError>;
  ask(question: Question): void;
  /** Where answers go; there is one listener. */
  listen(listener: (answer: Answer) => void): void;
  /** Nothing more is wanted of it. Idempotent. */
  drop(): void;
}

/** A process with a model in it, for several channels. */
export interface SherpaProcess {
  /** Resolves when the model is loaded; rejects with `engine-failed` or `engine-missing` when it never will be. */
  readonly ready: Promise<void>;
  readonly ended: Promise<RxscribeError>;
  /** Open channels. */
  readonly load: number;
  /** Our own process stays alive for this one while a channel is open. */
  openChannel(): SherpaChannel;
  /** Ends the process at once and waits until it is gone. Idempotent. */
  kill(): Promise<void>;
}

/** Starts a process and loads a model in it. */
export function startSherpa(
  model: ModelDirectory,
  task: SherpaTask,
  options: { readonly clock?: Clock } = {},
): SherpaProcess {
  const entry = new URL(`./child${extname(import.meta.filename)}`, import.meta.url);
  const child = startWorkProcess<ToSherpa, FromSherpa>(entry, {
    task: `run sherpa-onnx with ${model.path}`,
    readyWithinMs: LOAD_TIMEOUT_MS,
    clock: options.clock,
    complaintIn,
  });
  const listeners = new Map<number, (answer: Answer) => void>();
  let channels = 0;
  child.listen(({ channel, answer }) => listeners.get(channel)?.(answer));
  const { ready, ended, send } = child;
  const holdIfNeeded = () => child.hold(listeners.size > 0);
  send({ type: 'load', task });
  holdIfNeeded();
  return {
    ready,
    ended,
    get load() {
      return listeners.size;
    },
    openChannel() {
      const channel = channels++;
      listeners.set(channel, () => {});
      holdIfNeeded();
      return {
        ended,
        ask: question => send({ type: 'ask', channel, question }),
        listen: listener => void listeners.set(channel, listener),
        drop() {
          if (!listeners.delete(channel)) return;
          send({ type: 'drop', channel });
          holdIfNeeded();
        },
      };
    },
    kill: () => child.kill(),
  };
}

/** The last thing that the library said, without where in its sources. */
function complaintIn(logged: string): string | undefined {
  const line = logged.split('\n').findLast(each => /\S/.test(each) && !/^\s*(at |Node\.js)/.test(each));
  return line?.replace(/^.*?\.(?:cc|h):\w+:\d+\s*/, '').slice(0, 300);
}
