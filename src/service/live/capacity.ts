import type { EngineWork, RecognizerUsage } from '../../engines/recognizer.ts';

/**
 * Share of the decoders' time that streams may use. The rest is for moments in which more people speak than on average:
 * near the full share, utterances wait for one another.
 */
const DECODER_SHARE = 0.85;
/** Seconds of audio over which a higher cost of streams is averaged: ten seconds of six streams. */
const HIGHER_COST_SECONDS = 60;
/** Seconds of audio over which a lower cost is averaged: too many streams harm all of them, too few only those that wait. */
const LOWER_COST_SECONDS = 300;
/** Seconds of audio after which the cost is corrected, some utterances. */
const COST_STEP_SECONDS = 10;
/** Least share of the expected cost: all streams that are silent now may have speech later. */
const LEAST_COST_SHARE = 1 / 8;
/** Seconds over which the load is averaged. */
const BUSY_SECONDS = 60;
/** Lag from which streams are late. The half second from the end of speech to its final is not part of the lag. */
const LATE_MS = 2000;
/** Milliseconds after which late streams count as behind: a single slow utterance is no overload. */
const LATE_FOR_MS = 2000;
/** Lag below which they have caught up: between the two, nothing changes. */
const CAUGHT_UP_MS = 500;

/** Capacity of a recogniser for streams, from measurements. */
export interface CapacityEstimate {
  readonly usage: RecognizerUsage;
  readonly atMs: number;
  /** Seconds of decoding for each second of a stream's audio, without yielding work. */
  readonly costPerSecond: number;
  /** Work for streams that is part of the cost. */
  readonly costOf: EngineWork;
  /** Share of the time in which decoders were busy, for streams and recordings, in the last minute. */
  readonly busy: number;
  /** Time since which results of streams have been late. Undefined when they are not. */
  readonly lateSinceMs: number | undefined;
}

/** Returns the estimate before anything is measured. */
export function initialEstimate(usage: RecognizerUsage, nowMs: number): CapacityEstimate {
  return {
    usage,
    atMs: nowMs,
    costPerSecond: usage.expectedCost,
    costOf: usage.streamWork,
    busy: 0,
    lateSinceMs: lateSince(undefined, usage, nowMs),
  };
}

/** Returns the estimate after another measurement. */
export function nextEstimate(
  before: CapacityEstimate,
  usage: RecognizerUsage,
  nowMs: number,
): CapacityEstimate {
  return {
    usage,
    atMs: nowMs,
    ...costAfter(before, usage),
    busy: busyAfter(before, usage, nowMs),
    lateSinceMs: lateSince(before, usage, nowMs),
  };
}

/** Returns whether results of streams have been late for so long that no more streams should be accepted. */
export function isBehind({ lateSinceMs, atMs }: CapacityEstimate): boolean {
  return lateSinceMs !== undefined && atMs - lateSinceMs >= LATE_FOR_MS;
}

function lateSince(
  before: CapacityEstimate | undefined,
  { lagMs }: RecognizerUsage,
  nowMs: number,
): number | undefined {
  const wasBehind = before !== undefined && isBehind(before);
  if (lagMs <= (wasBehind ? CAUGHT_UP_MS : LATE_MS)) return undefined;
  return before?.lateSinceMs ?? nowMs;
}

function costAfter(
  { costPerSecond, costOf }: CapacityEstimate,
  { streamWork, expectedCost }: RecognizerUsage,
) {
  const audioSeconds = streamWork.audioSeconds - costOf.audioSeconds;
  if (audioSeconds < COST_STEP_SECONDS) return { costPerSecond, costOf };
  const measured = (requiredSecondsOf(streamWork) - requiredSecondsOf(costOf)) / audioSeconds;
  const meanSeconds = measured > costPerSecond ? HIGHER_COST_SECONDS : LOWER_COST_SECONDS;
  const cost = costPerSecond + newShare(audioSeconds, meanSeconds) * (measured - costPerSecond);
  return { costPerSecond: Math.max(cost, LEAST_COST_SHARE * expectedCost), costOf: streamWork };
}

function requiredSecondsOf({ decodingSeconds, yieldingSeconds }: EngineWork): number {
  return decodingSeconds - yieldingSeconds;
}

function busyAfter({ usage, busy, atMs }: CapacityEstimate, after: RecognizerUsage, nowMs: number): number {
  const seconds = (nowMs - atMs) / 1000;
  if (seconds <= 0) return busy;
  const spent = decodingSecondsOf(after) - decodingSecondsOf(usage);
  return busy + newShare(seconds, BUSY_SECONDS) * (spent / seconds / after.decoders - busy);
}

function decodingSecondsOf({ streamWork, recordingWork }: RecognizerUsage): number {
  return streamWork.decodingSeconds + recordingWork.decodingSeconds;
}

/** Returns the weight of a new value in an exponentially weighted mean. */
function newShare(seconds: number, meanSeconds: number): number {
  return 1 - Math.exp(-seconds / meanSeconds);
}

export interface StreamCounts {
  /** Streams that are open or opening. */
  readonly running: number;
  /** Limit of streams, besides that of the recogniser. Default: none. */
  readonly maxStreams?: number;
}

/** Returns the limit of streams. */
export function slotsOf({ usage }: CapacityEstimate, { maxStreams = Infinity }: StreamCounts): number {
  return Math.min(usage.maxStreams, maxStreams);
}

/**
 * Returns the number of further streams that can be accepted without making any late.
 *
 * Every running stream counts with the cost of a stream at real time, whatever it uses now: a silent one may speak, and
 * one that sends a file takes what is left. Recordings do not count, since they give way to streams. One stream is always
 * accepted when there is no other, since the cost of refused ones is never measured again.
 */
export function freeStreams(estimate: CapacityEstimate, counts: StreamCounts): number {
  if (isBehind(estimate)) return 0;
  const { usage, costPerSecond } = estimate;
  const decoders = DECODER_SHARE * (1 - usage.yieldingShare) * usage.decoders;
  const affordable = Math.max(1, Math.floor(decoders / costPerSecond));
  const running = Math.max(counts.running, usage.streams);
  return Math.max(0, Math.min(slotsOf(estimate, counts), affordable) - running);
}
