import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { createLogFile, type LogFile } from './logFile.ts';

/** Of what a process logged, kept as the cause of an error. */
const MAX_LOG_BYTES = 4000;

/** What a process says when it has loaded what it was told to load. */
export interface WorkReady {
  readonly type: 'ready';
}

/** What a process says when it cannot go on; it ends after this. */
export interface WorkFailure {
  readonly type: 'failed';
  readonly code: 'engine-missing' | 'engine-failed';
  readonly message: string;
}

/** A process of ours that does an engine's work: what blocks there holds nobody up, and its end is not ours. */
export interface WorkProcess<In, Out> {
  /** Resolves when it says that it is ready; rejects with what `ended` tells when it never will be. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, with what to tell those who needed it. */
  readonly ended: Promise<RxscribeError>;
  /** What is sent to a process that is gone is lost. */
  send(message: In): void;
  /** Where messages go; there is one listener. */
  listen(listener: (message: Out) => void): void;
  /** Whether our own process stays alive for this one. True at first. */
  hold(held: boolean): void;
  /** Ends the process at once and waits until it is gone. Idempotent. `reason` is what `ended` tells then. */
  kill(reason?: string): Promise<void>;
}

export interface WorkProcessOptions {
  /** Begins the messages of errors. */
  readonly task: string;
  /** The process is killed when it is not ready after this. Default: no limit. */
  readonly readyWithinMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** What in the log says why the process ended. */
  readonly complaintIn?: (log: string) => string | undefined;
  /** Flags of Node, beyond those that all have. */
  readonly flags?: readonly string[];
}

/**
 * Runs a file that calls `serveWork` in a process of its own.
 *
 * @example
 * const child = startWorkProcess<In, Out>(new URL('./child.ts', import.meta.url), { task: 'align' });
 */
export function startWorkProcess<In extends object, Out extends { readonly type: string }>(
  entry: URL,
  options: WorkProcessOptions,
): WorkProcess<In, Out> {
  const log = createLogFile();
  const child = forkQuietly(entry, log, options.flags);
  let listener: (message: Out) => void = () => {};
  let failure: WorkFailure | undefined;
  let isGoing = false;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  child.on('message', (message: Out | WorkReady | WorkFailure) => {
    if (isReady(message)) ready.resolve();
    else if (isFailure(message)) failure = message;
    else listener(message);
  });
  const ended = endOf(child).then(how => {
    const { code = 'engine-failed', message = how } = failure ?? {};
    const logged = log.take(MAX_LOG_BYTES);
    const text = [`${options.task}: ${message}`, options.complaintIn?.(logged)].filter(Boolean).join(': ');
    return new RxscribeError(code, text, { cause: new Error(logged) });
  });
  void ended.then(ready.reject);
  const work: WorkProcess<In, Out> = {
    ready: ready.promise,
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
    async kill(reason) {
      if (reason !== undefined) failure ??= { type: 'failed', code: 'engine-failed', message: reason };
      isGoing = true;
      holdChild(child, true);
      child.kill('SIGKILL');
      await ended;
    },
  };
  if (options.readyWithinMs !== undefined) limitLoading(work, options.readyWithinMs, options.clock);
  return work;
}

function limitLoading(
  work: Pick<WorkProcess<object, object>, 'ready' | 'kill'>,
  ms: number,
  clock: Clock = systemClock,
): void {
  const cancel = clock.schedule(ms, () => void work.kill(`not ready after ${ms / 1000} s`));
  work.ready.then(cancel, cancel);
}

function forkQuietly(entry: URL, log: LogFile, flags: readonly string[] = []): ChildProcess {
  return fork(entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', log.descriptor, 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us, and the last words still have to come.
    detached: true,
    windowsHide: true,
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    // Tokens and addresses in our environment are none of its business.
    env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, TMPDIR: process.env.TMPDIR },
  });
}

function endOf(child: ChildProcess): Promise<string> {
  return Promise.race([
    once(child, 'error').then(([error]) => messageOf(error)),
    // The channel ends after the last message in it was read, which may say why the process ended.
    Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
      ([[code, signal]]) => `its process ended (${signal ?? `exit ${code}`})`,
    ),
  ]);
}

function isReady(message: { readonly type: string }): message is WorkReady {
  return message.type === 'ready';
}

function isFailure(message: { readonly type: string }): message is WorkFailure {
  return message.type === 'failed';
}

function holdChild(child: ChildProcess, held: boolean): void {
  const method = held ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
}
