/** How much may flow: after a pause a burst at once, in the long run so much a second. */
export interface Flow {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/** A bucket that fills as time goes by, up to the burst. */
export interface Bucket {
  /** What was in it at a time. */
  readonly level: number;
  readonly atMs: number;
}

/** What is in a bucket now; one that is not there yet is full. */
export function levelOf(bucket: Bucket | undefined, { perSecond, burst }: Flow, nowMs: number): number {
  if (!bucket) return burst;
  return Math.min(burst, bucket.level + ((nowMs - bucket.atMs) / 1000) * perSecond);
}

/** Milliseconds until one can be taken; 0 when it can be now. */
export function waitFor(bucket: Bucket | undefined, flow: Flow, nowMs: number): number {
  const missing = 1 - levelOf(bucket, flow, nowMs);
  return missing <= 0 ? 0 : (missing / flow.perSecond) * 1000;
}

/** The bucket when one was taken. */
export function taken(bucket: Bucket | undefined, flow: Flow, nowMs: number): Bucket {
  return { level: levelOf(bucket, flow, nowMs) - 1, atMs: nowMs };
}
