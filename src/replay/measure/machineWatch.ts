import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The state of this process during a run. */
export interface MachineState {
  /** Seconds by which the event loop of this process was late: 99th percentile. */
  readonly eventLoopP99: number;
}

/** Lateness of audio, and of the event loop, above which a process distorts the delays that it measures. */
export const LATE_SECONDS = 0.1;
const LOOP_RESOLUTION_MS = 10;

/** Measures the state of this process from its creation on. */
export class MachineWatch implements Disposable {
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  constructor() {
    this.#loop.enable();
  }

  state(): MachineState {
    // The histogram counts the whole time between two of its timers.
    const loopMs = this.#loop.count === 0 ? 0 : this.#loop.percentile(99) / 1e6 - LOOP_RESOLUTION_MS;
    return { eventLoopP99: Math.max(0, loopMs / 1000) };
  }

  [Symbol.dispose](): void {
    this.#loop.disable();
  }
}
