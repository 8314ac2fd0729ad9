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
  let isOpen = true;
  const waiting = new Set<() => void>();
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      isOpen = true;
      for (const proceed of [...waiting]) proceed();
    },
    close() {
      isOpen = false;
    },
    whenOpen(signal) {
      if (isOpen) return Promise.resolve();
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
