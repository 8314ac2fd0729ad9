/**
 * Back pressure as one explicit value.
 *
 * RxJS pushes; whoever consumes slowly closes the gate, and a source that can wait (a file, a pipe) waits until it
 * is open again. A source that cannot wait (a microphone) ignores it.
 */
export interface Gate {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  /**
   * Closes the gate for one of several who share it; returns the release, which is harmless to call twice. The gate is
   * open when nobody holds it and it was not closed.
   */
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
  let isClosed = false;
  const holds = new Set<symbol>();
  const waiting = new Set<() => void>();
  const isOpen = () => !isClosed && holds.size === 0;
  const letThrough = () => {
    if (isOpen()) for (const proceed of [...waiting]) proceed();
  };
  return {
    get isOpen() {
      return isOpen();
    },
    open() {
      isClosed = false;
      letThrough();
    },
    close() {
      isClosed = true;
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
