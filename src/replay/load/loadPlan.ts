/** A load, which may grow in steps. */
export interface LoadPlan {
  /** Simultaneous streams at full load. */
  readonly streams: number;
  /** Jobs in flight at full load; with `jobsPerMinute`, their maximum. */
  readonly jobs: number;
  /** Jobs to submit per minute. Default: one when another has ended. */
  readonly jobsPerMinute?: number;
  /** Growth up to full load: of the streams, or of the jobs where there are none. Default: full load at once. */
  readonly ramp?: LoadRamp;
  /** Seconds at full load. */
  readonly seconds: number;
  /** Seconds after which a stream ends and a new one begins, half as much more or less. Default: the end of the load. */
  readonly sessionSeconds?: number;
}

/** Growth by a number of clients after each period. */
export interface LoadRamp {
  readonly clients: number;
  readonly seconds: number;
}

/** Limits within which a service holds a load. */
export interface LoadLimits {
  /** Seconds: p95 of the delay of finals. */
  readonly maxDelaySeconds: number;
  /** Seconds: p95 of the lag. A service without partials lags by the length of its utterances. */
  readonly maxLagSeconds: number;
  /** Share of the connections and jobs that may fail. */
  readonly maxFailures: number;
}

/** Defaults of {@link LoadLimits} and {@link LoadPlan}. */
export const LOAD_DEFAULTS = {
  maxDelaySeconds: 2,
  maxLagSeconds: 5,
  maxFailures: 0,
  seconds: 60,
  rateJobs: 100,
  seed: 1,
} as const;

/** Defaults of a run with faults. */
export const CHAOS_DEFAULTS = {
  seconds: 300,
  streams: 4,
  jobs: 2,
  maxWordErrors: 0.01,
  /** Longer than the lease of a job whose process was killed, and two sweeps. */
  settleSeconds: 240,
} as const;
