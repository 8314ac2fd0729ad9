import { catchError, EMPTY, type Observable, type OperatorFunction, tap } from 'rxjs';
import { type AudioBlock, framesOf } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { forEachUntilAborted } from '../../flow/forEachUntilAborted.ts';
import { emptyLiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { SessionRun, Timed } from './sessionRun.ts';

/** An operator from audio to transcript events: `transcribe(...)` or a pipeline around it. */
export type Transcriber = OperatorFunction<AudioBlock, LiveEvent> & {
  /** Statuses of the stream. Without them a run has no statuses, so reconnects are not counted. */
  readonly status$?: Observable<StreamStatus>;
};

export interface ObserveOptions {
  /** Speed of the source in seconds of audio per second, or `max`. Default 1. */
  readonly speed?: number | 'max';
  /** Time of the first sample in seconds, when the service was asked to add it. Default 0. */
  readonly startTs?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Streams a source once and records every event, status and block with its time. A stream that fails gives a run with a
 * `failure`, not a rejection.
 *
 * @throws the signal's reason
 * @example
 * const run = await observeSession(source$.pipe(pace({ speed: 1 })), transcribe({ url, token }));
 * console.log(run.transcript.monologues.length);
 */
export async function observeSession(
  source$: Observable<AudioBlock>,
  live: Transcriber,
  options: ObserveOptions = {},
): Promise<SessionRun> {
  const { speed = 1, startTs = 0, clock = systemClock, signal } = options;
  const startMs = clock.now();
  const timed = <T>(value: T): Timed<T> => ({ atMs: clock.now() - startMs, value });
  const audio: Timed<{ endFrame: number }>[] = [];
  const events: Timed<LiveEvent>[] = [];
  const statuses: Timed<StreamStatus>[] = [];
  let sampleRate = 0;
  let channels = 1;
  let failure: { readonly error: unknown } | undefined;

  const events$ = source$.pipe(
    tap(block => {
      sampleRate = block.sampleRate;
      channels = block.channels;
      audio.push(timed({ endFrame: block.startFrame + framesOf(block) }));
    }),
    live,
    catchError(error => {
      failure = { error };
      return EMPTY;
    }),
  );
  // Subscribed before the source, which causes the first status. `status$` never fails.
  const statusSubscription = live.status$?.subscribe(status => statuses.push(timed(status)));
  try {
    await forEachUntilAborted(events$, signal, event => events.push(timed(event)));
  } finally {
    statusSubscription?.unsubscribe();
  }
  const { transcript } = events.reduce((state, { value }) => mergeEvent(state, value), emptyLiveTranscript);
  return {
    events,
    statuses,
    transcript,
    audio,
    sampleRate,
    channels,
    startTs,
    speed,
    seconds: sampleRate > 0 ? (audio.at(-1)?.value.endFrame ?? 0) / sampleRate : 0,
    durationMs: clock.now() - startMs - (audio[0]?.atMs ?? 0),
    failure: failure?.error,
  };
}
