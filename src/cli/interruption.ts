import { fromEvent, merge, type Observable, ReplaySubject } from 'rxjs';
import { RxscribeError } from '../base/errors.ts';
import { EXIT } from './exitCodes.ts';

/** A terminal, npm and a shell may all pass on the same Ctrl-C; what comes later is impatience. */
const SAME_SIGNAL_MS = 1000;

export interface Interruption extends Disposable {
  /** Emits for each that is told; the latest also to those who come later. */
  readonly interrupted$: Observable<void>;
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
}

export interface InterruptionOptions {
  /** Of a process that is interrupted. Default 130. */
  readonly exitCode?: number;
  /** So many are told, for a run that ends in steps; the next one ends the process at once. Default 1. */
  readonly told?: number;
}

/** For servers: to be stopped is the only end that they have, and a good one. */
export const STOPPED: InterruptionOptions = { exitCode: EXIT.done };

/** Takes SIGINT and SIGTERM: the first sets the exit code and is told, one too many ends the process at once. */
export function takeInterruptions(options: InterruptionOptions = {}): Interruption {
  const { exitCode = EXIT.interrupted, told = 1 } = options;
  const interrupted$ = new ReplaySubject<void>(1);
  const abort = new AbortController();
  let count = 0;
  let isSame = false;
  const subscription = merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')).subscribe(() => {
    if (isSame) return;
    if (count === told) process.exit(EXIT.interrupted);
    count++;
    isSame = true;
    // Signals that came while something kept the loop busy are seen between the one and the other.
    setTimeout(() => setImmediate(() => (isSame = false)), SAME_SIGNAL_MS).unref();
    process.exitCode = exitCode;
    abort.abort(new RxscribeError('aborted', 'interrupted'));
    interrupted$.next();
  });
  return {
    interrupted$,
    signal: abort.signal,
    [Symbol.dispose]() {
      if (count === 0) subscription.unsubscribe();
      // The process is about to end. Listening until it is gone keeps a repeated signal from killing it on its way;
      // `exit()` skips the teardown of Node, which would take the listeners away first.
      else process.once('exit', () => process.exit());
    },
  };
}
