import { extname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { startWorkProcess } from '../process/workProcess.ts';
import type { Answer, FromSherpa, Question, SherpaTask, ToSherpa } from './messages.ts';

/** A large model on a slow disk takes its time. */
const LOAD_TIMEOUT_MS = 180_000;

/** One of the things that a process does at a time. */
export interface SherpaChannel {
  /** Resolves when it fails, or its process is gone, before it is dropped: with what to tell those who needed it. */
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

interface OpenChannel {
  onAnswer: (answer: Answer) => void;
  readonly end: (error: RxscribeError) => void;
}

/** Starts a process and loads a model in it. */
export function startSherpa(
  model: ModelDirectory,
  task: SherpaTask,
  options: { readonly clock?: Clock } = {},
): SherpaProcess {
  const entry = new URL(`./child${extname(import.meta.filename)}`, import.meta.url);
  const action = `run sherpa-onnx with ${model.path}`;
  const child = startWorkProcess<ToSherpa, FromSherpa>(entry, {
    task: action,
    readyWithinMs: LOAD_TIMEOUT_MS,
    clock: options.clock,
    complaintIn,
  });
  const channels = new Map<number, OpenChannel>();
  let opened = 0;
  child.listen(message => {
    const channel = channels.get(message.channel);
    if (message.type === 'answer') channel?.onAnswer(message.answer);
    else channel?.end(new RxscribeError(message.code, `${action}: ${message.message}`));
  });
  const { ready, ended, send } = child;
  void ended.then(error => {
    for (const { end } of channels.values()) end(error);
  });
  const holdIfNeeded = () => child.hold(channels.size > 0);
  send({ type: 'load', task });
  holdIfNeeded();
  return {
    ready,
    ended,
    get load() {
      return channels.size;
    },
    openChannel() {
      const id = opened++;
      // What waits for a promise is kept as long as it: the process outlives its channels by far.
      const { promise, resolve: end } = Promise.withResolvers<RxscribeError>();
      const channel: OpenChannel = { onAnswer: () => {}, end };
      channels.set(id, channel);
      holdIfNeeded();
      return {
        ended: promise,
        ask: question => send({ type: 'ask', channel: id, question }),
        listen: listener => {
          channel.onAnswer = listener;
        },
        drop() {
          if (!channels.delete(id)) return;
          send({ type: 'drop', channel: id });
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
