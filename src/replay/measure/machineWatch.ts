import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The state of the machine, and of this process on it, during a run. */
export interface MachineState {
  /** Seconds by which the event loop of this process was late: 99th percentile. */
  readonly eventLoopP99: number;
  /**
   * Share of the time in which a program of the machine waited for a processor, 0 to 1 (pressure stall information of Linux);
   * null on other systems.
   */
  readonly waiting: number | null;
}

/** Lateness of audio, and of the event loop, above which a process distorts the delays that it measures. */
export const LATE_SECONDS = 0.1;
const LOOP_RESOLUTION_MS = 10;

/** Measures the state of the machine from its creation on. */
export class MachineWatch implements Disposable {
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #startMs = performance.now();
  readonly #waitedMs = waitedMs();

  constructor() {
    this.#loop.enable();
  }

  state(): MachineState {
    // The histogram counts the whole time between two of its timers.
    const loopMs = this.#loop.count === 0 ? 0 : this.#loop.percentile(99) / 1e6 - LOOP_RESOLUTION_MS;
    const [before, after] = [this.#waitedMs, waitedMs()];
    const waited = before === null || after === null ? null : after - before;
    return {
      eventLoopP99: Math.max(0, loopMs / 1000),
      waiting: waited === null ? null : Math.min(1, waited / (performance.now() - this.#startMs)),
    };
  }

  [Symbol.dispose](): void {
    this.#loop.disable();
  }
}

/** Returns for how long programs have waited for a processor since the machine started; null where that is unknown. */
function waitedMs(): number | null {
  try {
    const [, total] = /^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8')) ?? [];
    return total === undefined ? null : Number(total) / 1000;
  } catch {
    return null;
  }
}
