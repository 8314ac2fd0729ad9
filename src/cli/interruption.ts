import { type Observable, ReplaySubject } from 'rxjs';
import { RxscribeError } from '../base/errors.ts';
import type { Context } from './context.ts';
import { EXIT } from './exitCodes.ts';

/** Milliseconds in which repeated signals count as one: a terminal, npm and a shell may all pass on the same Ctrl-C. */
const SAME_SIGNAL_MS = 1000;

export interface Interruption extends Disposable {
  /** Emits at each interruption that the command acts on; replays the latest one. */
  readonly interrupted$: Observable<void>;
  /** Aborted by the first interruption. */
  readonly signal: AbortSignal;
}

export interface InterruptionOptions {
  /** Exit code of an interrupted command. Default 130. */
  readonly exitCode?: number;
  /** Interruptions that the command acts on, for one that ends in steps; the next one ends it at once. Default 1. */
  readonly steps?: number;
}

/** Options of servers, for which an interruption is the regular end. */
export const STOPPED: InterruptionOptions = { exitCode: EXIT.done };

/** Listens for interruptions: the first one sets the exit code; one more than `steps` ends the command at once. */
export function takeInterruptions(context: Context, options: InterruptionOptions = {}): Interruption {
  const { exitCode = EXIT.interrupted, steps = 1 } = options;
  const interrupted$ = new ReplaySubject<void>(1);
  const abort = new AbortController();
  let count = 0;
  let isSame = false;
  const stopListening = context.onInterrupt(() => {
    if (isSame) return;
    if (count === steps) {
      context.exit(EXIT.interrupted);
      return;
    }
    count++;
    isSame = true;
    // Signals that arrived while the event loop was blocked are delivered between the two callbacks.
    setTimeout(() => setImmediate(() => (isSame = false)), SAME_SIGNAL_MS).unref();
    context.exitCode = exitCode;
    abort.abort(new RxscribeError('aborted', 'Interrupted.'));
    interrupted$.next();
  });
  return {
    interrupted$,
    signal: abort.signal,
    [Symbol.dispose]() {
      // An interrupted process is about to end: it keeps its listeners, or a repeated signal would kill it before.
      if (count === 0) stopListening();
    },
  };
}

/** Returns a handler that rethrows errors, unless the signal is aborted: an interrupted command has nothing to explain. */
export function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return error => {
    if (!signal.aborted) throw error;
  };
}
