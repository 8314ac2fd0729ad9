import type { Clock } from '../clock.ts';

/**
 * Runs a task periodically; each interval starts at the end of the previous run, so that runs never overlap.
 *
 * @param options.onError called with the error of a run; later runs still take place
 * @returns a function that stops the runs and resolves when the run in progress is over
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
