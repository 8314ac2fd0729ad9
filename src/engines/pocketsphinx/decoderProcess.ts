import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { createLogFile, type LogFile } from '../process/logFile.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { FromDecoder, ToDecoder } from './messages.ts';

/** Loading takes 0.3 s on an idle machine. */
const LOAD_TIMEOUT_MS = 60_000;
/** Of what the library logged, kept as the cause of an error. */
const MAX_LOG_BYTES = 2000;

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
  const log = createLogFile();
  const child = fork(new URL(`./child${extname(import.meta.filename)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', log.descriptor, 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us, and the last words still have to come.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Tokens and addresses in our environment are none of its business.
    env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, TMPDIR: process.env.TMPDIR },
  });
  let listener: (message: FromDecoder) => void = () => {};
  let reason: string | undefined;
  let isGoing = false;
  const ended = endOf(child, log, () => reason);
  const ready = new Promise<void>((resolve, reject) => {
    ended.then(reject);
    child.on('message', (message: FromDecoder) => {
      if (message.type === 'ready') return resolve();
      if (message.type === 'failed') reason = message.message;
      else listener(message);
    });
  });
  const cancelTimeout = (options.clock ?? systemClock).schedule(LOAD_TIMEOUT_MS, () => {
    reason = `not ready after ${LOAD_TIMEOUT_MS / 1000} s`;
    child.kill('SIGKILL');
  });
  ready.then(cancelTimeout, cancelTimeout);
  const decoder: DecoderProcess = {
    ready,
    ended,
    // An error here means that the process is going: `ended` tells.
    send: message => void (child.connected && child.send(message, () => {})),
    listen: next => {
      listener = next;
    },
    hold(held) {
      // Whoever awaits its end must not see the event loop run dry before.
      if (!isGoing) holdChild(child, held);
    },
    async kill() {
      isGoing = true;
      holdChild(child, true);
      child.kill('SIGKILL');
      await ended;
    },
  };
  decoder.send({ type: 'load', files });
  return decoder;
}

async function endOf(
  child: ChildProcess,
  log: LogFile,
  reason: () => string | undefined,
): Promise<RxscribeError> {
  const how = await Promise.race([
    once(child, 'error').then(([error]) => messageOf(error)),
    // The channel ends after the last message in it was read, which may say why the process ended.
    Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
      ([[code, signal]]) => `the decoder's process ended (${signal ?? `exit ${code}`})`,
    ),
  ]);
  const logged = log.take(MAX_LOG_BYTES);
  const complaint = logged.split('\n').findLast(line => /^(ERROR|FATAL)/.test(line));
  const message = [`run PocketSphinx: ${reason() ?? how}`, complaint].filter(Boolean).join(': ');
  return new RxscribeError('engine-failed', message, { cause: new Error(logged) });
}

function holdChild(child: ChildProcess, held: boolean): void {
  const method = held ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
}
