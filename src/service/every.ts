import type { Clock } from '../base/clock.ts';

/**
 * Runs a task again and again, the first time after one interval, never twice at once.
 *
 * @param onError what a run threw; the next one comes all the same
 * @returns the stop: no further run begins, and it resolves when the one in progress is over
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
