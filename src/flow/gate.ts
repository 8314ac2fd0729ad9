/**
 * Back pressure as one explicit value.
 *
 * RxJS pushes; whoever consumes slowly holds the gate, and a source that can wait (a file, a pipe) waits until nobody
 * does. A source that cannot wait (a microphone) ignores it.
 */
export interface Gate {
  /** Whether nobody holds it. */
  readonly isOpen: boolean;
  /** Closes the gate for one of those who share it. Returns the release; to call that twice is harmless. */
  hold(): () => void;
  /** Resolves at once when open, else when opened. Rejects with the signal's reason. */
  whenOpen(signal?: AbortSignal): Promise<void>;
}

/**
 * A gate, open at first.
 *
 * @example
 * const gate = createGate();
 * fromFile('talk.wav', { gate }).pipe(resample(), chunk(), transcribe({ url, token, gate }));
 */
export function createGate(): Gate {
  const holds = new Set<symbol>();
  const waiting = new Set<() => void>();
  const isOpen = () => holds.size === 0;
  const letThrough = () => {
    if (isOpen()) for (const proceed of [...waiting]) proceed();
  };
  return {
    get isOpen() {
      return isOpen();
    },
    hold() {
      const hold = Symbol();
      holds.add(hold);
      return () => {
        holds.delete(hold);
        letThrough();
      };
    },
    whenOpen(signal) {
      if (isOpen()) return Promise.resolve();
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const settle = (then: () => void) => () => {
          waiting.delete(proceed);
          signal?.removeEventListener('abort', abort);
          then();
        };
        const proceed = settle(resolve);
        const abort = settle(() => reject(signal?.reason));
        waiting.add(proceed);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
