/** Time that calls took. */
export interface CallTime {
  /** Processor time. */
  readonly processorMs: number;
  /** Time in which the calls kept their host busy: more than the processor time when other programs use the processor. */
  readonly elapsedMs: number;
}

export const NO_TIME: CallTime = { processorMs: 0, elapsedMs: 0 };

/**
 * Returns a function that measures one call. The time of this process, with all of its threads, is divided among the calls
 * that it serves.
 *
 * Time until a call first waits belongs to that call. Time while calls wait, such as for threads of a native library,
 * belongs to the one that has waited longest: those libraries work in the order of the calls. Time without calls belongs
 * to none.
 */
export function createCallTimes() {
  const running: { time: CallTime }[] = [];
  let counted = currentTime();

  function countFor(call: { time: CallTime } | undefined): void {
    const now = currentTime();
    if (call) call.time = sumOf(call.time, timeBetween(counted, now));
    counted = now;
  }

  return () => {
    const own = { time: NO_TIME };
    return {
      /** Runs the call. */
      run<T>(call: () => T): T {
        countFor(running[0]);
        running.push(own);
        try {
          return call();
        } finally {
          countFor(own);
        }
      },
      /** Returns the time of the call, once its answer is there. Call once. */
      end() {
        countFor(running[0]);
        const at = running.indexOf(own);
        if (at >= 0) running.splice(at, 1);
        return own.time;
      },
    };
  };
}

function currentTime(): CallTime {
  const { user, system } = process.cpuUsage();
  return { processorMs: (user + system) / 1000, elapsedMs: performance.now() };
}

export function sumOf(one: CallTime, other: CallTime): CallTime {
  return {
    processorMs: one.processorMs + other.processorMs,
    elapsedMs: one.elapsedMs + other.elapsedMs,
  };
}

/** Returns the time from an earlier to a later sum. */
export function timeBetween(first: CallTime, second: CallTime): CallTime {
  return {
    processorMs: Math.max(0, second.processorMs - first.processorMs),
    elapsedMs: Math.max(0, second.elapsedMs - first.elapsedMs),
  };
}
