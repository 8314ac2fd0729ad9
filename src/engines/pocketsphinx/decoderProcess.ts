import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { FromDecoder, ToDecoder } from './messages.ts';

/** Loading takes 0.3 s on an idle machine. */
const LOAD_TIMEOUT_MS = 60_000;
/** Of what the library wrote to stderr, kept for the error message. */
const MAX_STDERR_CHARACTERS = 2000;

/** A process with a native decoder in it, good for one session. */
export interface DecoderProcess {
  /** Resolves when it can decode; rejects with `engine-failed` when it never will. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, with what to tell those who needed it. */
  readonly ended: Promise<RxscribeError>;
  send(message: ToDecoder): void;
  /** Where messages go; there is one listener. */
  listen(listener: (message: FromDecoder) => void): void;
  /** Whether our own process stays alive for this one. True at first. */
  hold(held: boolean): void;
  /** Ends the process at once and waits until it is gone. Idempotent. */
  kill(): Promise<void>;
}

/** Starts a process and loads a decoder in it. */
export function startDecoder(
  files: PocketSphinxFiles,
  options: { readonly clock?: Clock } = {},
): DecoderProcess {
  const child = fork(new URL(`./child${extname(import.meta.filename)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us, and the last words still have to come.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Tokens and addresses in our environment are none of its business.
    env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH },
  });
  let listener: (message: FromDecoder) => void = () => {};
  let reason: string | undefined;
  const ended = endOf(child, () => reason);
  const ready = new Promise<void>((resolve, reject) => {
    ended.then(reject);
    child.on('message', (message: FromDecoder) => {
      if (message.type === 'ready') return resolve();
      if (message.type === 'failed') reason = message.message;
      else listener(message);
    });
  });
  ready.catch(() => {});
  const cancelTimeout = (options.clock ?? systemClock).schedule(LOAD_TIMEOUT_MS, () => {
    reason = `not ready after ${LOAD_TIMEOUT_MS / 1000} s`;
    child.kill('SIGKILL');
  });
  void Promise.allSettled([ready]).then(cancelTimeout);
  const decoder: DecoderProcess = {
    ready,
    ended,
    // An error here means that the process is going: `ended` tells.
    send: message => void (child.connected && child.send(message, () => {})),
    listen: next => {
      listener = next;
    },
    hold: held => holdChild(child, held),
    async kill() {
      holdChild(child, true);
      child.kill('SIGKILL');
      await ended;
    },
  };
  decoder.send({ type: 'load', files });
  return decoder;
}

function endOf(child: ChildProcess, reason: () => string | undefined): Promise<RxscribeError> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
  });
  return new Promise(resolve => {
    const settle = (how: string) => {
      const cause = new Error(stderr.trim() || 'the decoder wrote nothing to stderr');
      resolve(new RxscribeError('engine-failed', `run PocketSphinx: ${reason() ?? how}`, { cause }));
    };
    child.once('error', error => settle(error.message));
    // Not `exit`: what was written to stderr has to be read first.
    child.once('close', (code, signal) =>
      settle(`the decoder's process ended (${signal ?? `exit ${code}`})`),
    );
  });
}

function holdChild(child: ChildProcess, held: boolean): void {
  const method = held ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
  const stderr = child.stderr as { ref?(): void; unref?(): void } | null;
  stderr?.[method]?.();
}
