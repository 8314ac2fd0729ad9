import { fromEvent, merge, type Observable, ReplaySubject } from 'rxjs';
import { EXIT } from './exitCodes.ts';

/** A terminal, npm and a shell may all pass on the same Ctrl-C; what comes later is impatience. */
const SAME_SIGNAL_MS = 1000;

export interface Interruption extends Disposable {
  /** Emits once, also to those who come later. */
  readonly interrupted$: Observable<void>;
}

export interface InterruptionOptions {
  /** Of a process that is interrupted. Default 130. */
  readonly exitCode?: number;
}

/** For servers: to be stopped is the only end that they have, and a good one. */
export const STOPPED: InterruptionOptions = { exitCode: EXIT.done };

/** Takes SIGINT and SIGTERM: the first sets the exit code and is told, a later one ends the process at once. */
export function takeInterruptions({ exitCode = EXIT.interrupted }: InterruptionOptions = {}): Interruption {
  const interrupted$ = new ReplaySubject<void>(1);
  let isFirst = true;
  let isImpatience = false;
  const subscription = merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')).subscribe(() => {
    if (isImpatience) process.exit(EXIT.interrupted);
    if (!isFirst) return;
    isFirst = false;
    // Signals that came while something kept the loop busy are seen between the one and the other.
    setTimeout(() => setImmediate(() => (isImpatience = true)), SAME_SIGNAL_MS).unref();
    process.exitCode = exitCode;
    interrupted$.next();
  });
  return { interrupted$, [Symbol.dispose]: () => subscription.unsubscribe() };
}
