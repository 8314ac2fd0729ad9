import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { createLogFile, type LogFile } from '../process/logFile.ts';
import type { Answer, FromSherpa, Question, SherpaTask, ToSherpa } from './messages.ts';

/** A large model on a slow disk takes its time. */
const LOAD_TIMEOUT_MS = 180_000;
/** Of what the library logged, kept as the cause of an error. */
const MAX_LOG_BYTES = 4000;

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
  const log = createLogFile();
  const child = forkChild(log);
  const listeners = new Map<number, (answer: Answer) => void>();
  let failure: { readonly code: 'engine-missing' | 'engine-failed'; readonly message: string } | undefined;
  let channels = 0;
  let isGoing = false;
  const ended = endOf(child, log, model, () => failure);
  const ready = new Promise<void>((resolve, reject) => {
    void ended.then(reject);
    child.on('message', (message: FromSherpa) => {
      if (message.type === 'ready') resolve();
      else if (message.type === 'failed') failure = message;
      else listeners.get(message.channel)?.(message.answer);
    });
  });
  const cancelTimeout = (options.clock ?? systemClock).schedule(LOAD_TIMEOUT_MS, () => {
    failure = { code: 'engine-failed', message: `not loaded after ${LOAD_TIMEOUT_MS / 1000} s` };
    child.kill('SIGKILL');
  });
  ready.then(cancelTimeout, cancelTimeout);
  // An error here means that the process is going: `ended` tells.
  const send = (message: ToSherpa) => void (child.connected && child.send(message, () => {}));
  const holdIfNeeded = () => hold(child, isGoing || listeners.size > 0);
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
    async kill() {
      isGoing = true;
      // Whoever awaits its end must not see the event loop run dry before.
      holdIfNeeded();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function forkChild(log: LogFile): ChildProcess {
  return fork(new URL(`./child${extname(import.meta.filename)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', log.descriptor, 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us, and the last words still have to come.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Tokens and addresses in our environment are none of its business.
    env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, TMPDIR: process.env.TMPDIR },
  });
}

async function endOf(
  child: ChildProcess,
  log: LogFile,
  model: ModelDirectory,
  failure: () => { code: 'engine-missing' | 'engine-failed'; message: string } | undefined,
): Promise<RxscribeError> {
  const how = await Promise.race([
    once(child, 'error').then(([error]) => messageOf(error)),
    // The channel ends after the last message in it was read, which may say why the process ended.
    Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
      ([[code, signal]]) => `its process ended (${signal ?? `exit ${code}`})`,
    ),
  ]);
  const logged = log.take(MAX_LOG_BYTES);
  const { code = 'engine-failed', message = how } = failure() ?? {};
  const text = [`run sherpa-onnx with ${model.path}: ${message}`, complaintIn(logged)]
    .filter(Boolean)
    .join(': ');
  return new RxscribeError(code, text, { cause: new Error(logged) });
}

/** The last thing that the library said, without where in its sources. */
function complaintIn(logged: string): string | undefined {
  const line = logged.split('\n').findLast(each => /\S/.test(each) && !/^\s*(at |Node\.js)/.test(each));
  return line?.replace(/^.*?\.(?:cc|h):\w+:\d+\s*/, '').slice(0, 300);
}

function hold(child: ChildProcess, held: boolean): void {
  const method = held ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
}
