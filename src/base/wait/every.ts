import type { Clock } from '../clock.ts';

/**
 * Runs a task after each interval, never twice at once.
 *
 * @param options.onError called with the error of a run; the next run takes place all the same
 * @returns a function that ends it and resolves when the run in progress is over
 */
export function every(
  intervalMs: number,
  task: () => Promise<void>,
  options: { clock: Clock; onError: (error: unknown) => void },
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let cancel = options.clock.schedule(intervalMs, run);
  function run(): void {
    running = task()
      .catch(options.onError)
      .then(() => {
        if (!stopped) cancel = options.clock.schedule(intervalMs, run);
      });
  }
  return () => {
    stopped = true;
    cancel();
    return running;
  };
}
