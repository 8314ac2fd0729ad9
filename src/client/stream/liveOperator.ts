import { defer, Observable, type OperatorFunction, ReplaySubject, Subject, takeUntil } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

/** What becomes of the audio of one subscription. */
export interface LiveHandlers<Status> {
  event(event: LiveEvent): void;
  status(status: Status): void;
  /** Called once; all is closed by then. */
  end(failure?: { readonly error: unknown }): void;
}

/** Takes the audio of one subscription. */
export interface AudioTaker {
  /** Called once, before all else. */
  start(): void;
  write(block: AudioBlock): void;
  /** The source has ended. */
  finish(): void;
  /** The source has failed. */
  fail(error: unknown): void;
  /** Ends all at once; idempotent. */
  close(): void;
}

/** An operator from audio to what is said in it, which also says how it stands. */
export interface LiveOperator<Status> extends OperatorFunction<AudioBlock, LiveEvent> {
  /** Of the latest subscription: replays its latest value, completes with it, never fails. */
  readonly status$: Observable<Status>;
}

/** Makes an operator of what takes audio, a new taker for each subscription. */
export function liveOperator<Status>(
  open: (handlers: LiveHandlers<Status>) => AudioTaker,
): LiveOperator<Status> {
  let current = new ReplaySubject<Status>(1);
  let isTaken = false;

  const operator = (source: Observable<AudioBlock>) =>
    new Observable<LiveEvent>(subscriber => {
      if (isTaken) current = new ReplaySubject<Status>(1);
      isTaken = true;
      const status = current;
      const stop$ = new Subject<void>();
      const taker = open({
        event: event => subscriber.next(event),
        status: value => status.next(value),
        end(failure) {
          // First the source, so that a microphone is free again when somebody retries.
          stop$.next();
          status.complete();
          if (failure) subscriber.error(failure.error);
          else subscriber.complete();
        },
      });
      // Before the source is subscribed: all of it may come, and be unsubscribed, within that call.
      subscriber.add(() => {
        taker.close();
        stop$.next();
        status.complete();
      });
      taker.start();
      source.pipe(takeUntil(stop$)).subscribe({
        next: block => taker.write(block),
        error: error => taker.fail(error),
        complete: () => taker.finish(),
      });
    });

  return Object.assign(operator, { status$: defer(() => current) });
}
