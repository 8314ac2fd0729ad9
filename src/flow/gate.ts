/**
 * Back pressure as an explicit value: to pause a source by hand, or for a source that does not find its consumer by itself.
 *
 * A source that can wait (a file, a pipe) pauses until every hold has been released; a microphone ignores the gate. A gate
 * does not count what operators buffer on the way.
 */
export interface Gate {
  /** True while there is no hold. */
  readonly isOpen: boolean;
  /** Adds a hold, which closes the gate. Returns a function that releases this hold, idempotent. */
  hold(): () => void;
  /** Resolves when the gate is open. Rejects with the signal's reason. */
  whenOpen(signal?: AbortSignal): Promise<void>;
}

/**
 * Creates an open gate. A pipeline from `fromFile()` to `transcribe()` needs none: its source waits by itself.
 *
 * @example
 * import { chunk, createGate, fromFile, resample, transcribe } from 'rxscribe';
 *
 * const gate = createGate();
 * fromFile('talk.wav', { gate })
 *   .pipe(resample(), chunk(), transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }))
 *   .subscribe(event => console.log(event.type));
 * const resume = gate.hold(); // pauses the reading
 * setTimeout(resume, 60_000);
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

/** Holds several gates. Returns a function that releases these holds, idempotent. */
export function holdAll(gates: readonly Gate[]): () => void {
  const releases = gates.map(gate => gate.hold());
  return () => {
    for (const release of releases) release();
  };
}
