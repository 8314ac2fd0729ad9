import { fromEvent, merge, type Observable, ReplaySubject } from 'rxjs';
import { EXIT } from './exitCodes.ts';

/** A terminal, npm and a shell may all pass on the same Ctrl-C; what comes later is impatience. */
const SAME_SIGNAL_MS = 1000;

export interface Interruption extends Disposable {
  /** Emits once, also to those who come later. */
  readonly interrupted$: Observable<void>;
}

/** Takes SIGINT and SIGTERM: the first sets the exit code and is told, a later one ends the process at once. */
export function takeInterruptions(): Interruption {
  const interrupted$ = new ReplaySubject<void>(1);
  let firstAt: number | undefined;
  const subscription = merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')).subscribe(() => {
    if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
    firstAt ??= performance.now();
    process.exitCode = EXIT.interrupted;
    interrupted$.next();
  });
  return { interrupted$, [Symbol.dispose]: () => subscription.unsubscribe() };
}
