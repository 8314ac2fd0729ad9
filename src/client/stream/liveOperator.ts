import { Observable, type OperatorFunction, ReplaySubject, Subject, takeUntil } from 'rxjs';
import { type AudioBlock, endSecondsOf } from '../../audio/format/format.ts';
import { Demand } from '../../flow/demand.ts';
import type { Gate } from '../../flow/gate.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { withText } from '../../transcript/model/eventText.ts';
import type { StreamStatus } from './status.ts';

export interface StreamFailure {
  readonly error: unknown;
}

/** An event of one live stream, of whatever part of it. */
export type StreamOutput<Status = StreamStatus> =
  | { readonly type: 'transcript'; readonly event: LiveEvent }
  | { readonly type: 'status'; readonly status: Status }
  /** The stream is over; everything is closed by then. Comes once, as the last event. */
  | { readonly type: 'end'; readonly failure?: StreamFailure };

export type StreamListener<Status = StreamStatus> = (event: StreamOutput<Status>) => void;

/** The receiver of the audio of one subscription. */
export interface AudioInput {
  /** Called once, before everything else. */
  start(): void;
  write(block: AudioBlock): void;
  /** The source has ended. */
  finish(): void;
  /** The source has failed. */
  fail(error: unknown): void;
  /** Ends everything at once; idempotent. */
  close(): void;
}

/** An operator from audio to transcript events, with a status beside them. */
export interface LiveOperator<Status> extends OperatorFunction<AudioBlock, LiveEvent> {
  /**
   * Status of all subscriptions, such as the attempts of a `retry()`. It neither completes nor fails, as the operator can be
   * used again.
   *
   * The latest value is replayed, also that of a subscription that is over: filter by type rather than take the first value.
   */
  readonly status$: Observable<Status>;
}

/** An operator from audio to transcript events, with the status of the stream. */
export type Transcription = LiveOperator<StreamStatus>;

/**
 * Creates an operator that opens an {@link AudioInput} for each subscription, with a gate that it holds while sources that can
 * wait should do so. The result fails with the reason of the signal when that is aborted.
 */
export function liveOperator<Status>(
  open: (listener: StreamListener<Status>, gate: Gate) => AudioInput,
  signal?: AbortSignal,
): LiveOperator<Status> {
  const status$ = new ReplaySubject<Status>(1);

  const operator = (source: Observable<AudioBlock>) =>
    new Observable<LiveEvent>(subscriber => {
      if (signal?.aborted) return subscriber.error(signal.reason);
      let isOver = false;
      const stop$ = new Subject<void>();
      const demand = new Demand();
      const input = open(event => {
        if (event.type === 'transcript') subscriber.next(withText(event.event));
        else if (event.type === 'status') {
          if (!isOver) status$.next(event.status);
        } else {
          isOver = true;
          // The source comes first, so that a microphone is free again when a subscriber retries.
          stop$.next();
          if (event.failure) subscriber.error(event.failure.error);
          else subscriber.complete();
        }
      }, demand.gate);
      const abort = () => input.fail(signal?.reason);
      // Added before the source is subscribed: a synchronous source emits everything within that call.
      subscriber.add(() => {
        signal?.removeEventListener('abort', abort);
        input.close();
        stop$.next();
        demand.close();
        isOver = true;
      });
      signal?.addEventListener('abort', abort);
      input.start();
      // The start itself may have ended the stream, when nothing would stop the source any more.
      if (subscriber.closed) return;
      demand.subscribing(() =>
        source.pipe(takeUntil(stop$)).subscribe({
          next(block) {
            input.write(block);
            if (!subscriber.closed) demand.received(block, endSecondsOf(block));
          },
          error: error => input.fail(error),
          complete: () => input.finish(),
        }),
      );
    });

  return Object.assign(operator, { status$: status$.asObservable() });
}
