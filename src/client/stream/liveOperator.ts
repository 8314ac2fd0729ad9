import { defer, Observable, type OperatorFunction, ReplaySubject, Subject, takeUntil } from 'rxjs';
import { type AudioBlock, endSecondsOf } from '../../audio/format/format.ts';
import { Demand } from '../../flow/demand.ts';
import type { Gate } from '../../flow/gate.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { StreamStatus } from './status.ts';

export interface Failure {
  readonly error: unknown;
}

/** An event of one live stream, of whatever part of it. */
export type StreamEvent<Status = StreamStatus> =
  | { readonly type: 'transcript'; readonly event: LiveEvent }
  | { readonly type: 'status'; readonly status: Status }
  /** The stream is over; everything is closed by then. Comes once, as the last event. */
  | { readonly type: 'end'; readonly failure?: Failure };

export type StreamListener<Status = StreamStatus> = (event: StreamEvent<Status>) => void;

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
  /** Status of the latest subscription. Replays the latest value, completes when that subscription ends, and never fails. */
  readonly status$: Observable<Status>;
}

/**
 * Creates an operator that opens an {@link AudioInput} for each subscription. Sources that can wait do so while the gate is
 * held.
 */
export function liveOperator<Status>(
  open: (listener: StreamListener<Status>, gate: Gate) => AudioInput,
): LiveOperator<Status> {
  let current = new ReplaySubject<Status>(1);
  let isTaken = false;

  const operator = (source: Observable<AudioBlock>) =>
    new Observable<LiveEvent>(subscriber => {
      if (isTaken) current = new ReplaySubject<Status>(1);
      isTaken = true;
      const status = current;
      const stop$ = new Subject<void>();
      const demand = new Demand();
      const input = open(event => {
        if (event.type === 'transcript') subscriber.next(event.event);
        else if (event.type === 'status') status.next(event.status);
        else {
          // The source comes first, so that a microphone is free again when a subscriber retries.
          stop$.next();
          status.complete();
          if (event.failure) subscriber.error(event.failure.error);
          else subscriber.complete();
        }
      }, demand.gate);
      // Added before the source is subscribed: a synchronous source emits everything within that call.
      subscriber.add(() => {
        input.close();
        stop$.next();
        demand.close();
        status.complete();
      });
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

  return Object.assign(operator, { status$: defer(() => current) });
}
