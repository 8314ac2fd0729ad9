import type { Observable, Subscription } from 'rxjs';
import { type AudioBlock, framesOf, requireBlock } from '../../audio/format/format.ts';
import { secondsAt } from '../../audio/format/frameRange.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { reasonOf, requirePositive } from '../../base/errors.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { ServiceError } from '../serviceErrors.ts';
import { createBlockChecker } from './audioBlocks.ts';
import { type AudioInput, type LiveOperator, liveOperator, type StreamListener } from './liveOperator.ts';
import { RolledSession } from './rolledSession.ts';
import type { StreamStatus } from './status.ts';

/** Values of a query that may differ between the sessions of a source. */
export type QueryChange = Partial<Omit<StreamQuery, 'contentType' | 'startTs'>>;

/** The query of one session. */
export type SessionQuery = QueryChange & Pick<StreamQuery, 'startTs'>;

export interface RollOverOptions<Status extends StreamStatus = StreamStatus> {
  /**
   * Creates the stream of a session, counted from 0; called when its audio begins. All values of the query must reach the
   * service: those that were changed so far, and the `startTs` of the session, whose positions count from 0.
   */
  readonly open: (query: SessionQuery, index: number) => LiveOperator<Status>;
  /**
   * Changes of the query. Each ends the current session, whose last final still comes; the next audio begins another one. The
   * first session has what is emitted at once.
   */
  readonly query$: Observable<QueryChange>;
  /** Seconds at frame 0 of the source. Default 0. */
  readonly startTs?: number;
  /** Seconds for which the words of a session wait for the last final of the one before. Default 10. */
  readonly holdSeconds?: number;
  /** Default: the clock of the system. */
  readonly clock?: Clock;
}

/** Defaults of {@link RollOverOptions}. */
export const ROLL_OVER_DEFAULTS = { startTs: 0, holdSeconds: 10 } as const;

/**
 * Streams one source in one session after the other, each with a query of its own, such as another language.
 *
 * Every frame is in one session, and times are those of the source. Events are in the order of the sessions: those of a new
 * one wait for the last final of the old one, for `holdSeconds` at most. Audio that is missing between two sessions is a hole
 * with the cause `gap`. A session without audio is closed without a trace, so that several changes in a row cost nothing;
 * a change during a pause of the source ends the recognition until there is audio again.
 *
 * When the service refuses a new query, the session goes on with the query before, and a warning reports it; the audio of up
 * to 60 s until then is not lost. Every other error of a session ends all.
 *
 * @throws InvalidArgumentError for a `holdSeconds` that is not above 0
 * @example
 * const language$ = new BehaviorSubject('en');
 * const live = rollOver({
 *   query$: language$.pipe(map(language => ({ language }))),
 *   open: query => transcribe({ url: 'http://127.0.0.1:8080', token, ...query }),
 * });
 * source$.pipe(live).subscribe(event => console.log(event));
 * language$.next('de');
 */
export function rollOver<Status extends StreamStatus>(
  options: RollOverOptions<Status>,
): LiveOperator<Status | StreamStatus> {
  const settings = { ...ROLL_OVER_DEFAULTS, clock: systemClock, ...options };
  requirePositive('holdSeconds', settings.holdSeconds);
  return liveOperator<Status | StreamStatus>(listener => new RolledStream(settings, listener));
}

/** The sessions of one subscription. */
class RolledStream<Status extends StreamStatus> implements AudioInput {
  readonly #options: Required<RollOverOptions<Status>>;
  readonly #listener: StreamListener<Status | StreamStatus>;
  /** Sessions that have not ended, in order. */
  #sessions: readonly RolledSession<Status>[] = [];
  /** The session that gets the audio; none until there is audio after a change. */
  #current: RolledSession<Status> | undefined;
  #changes: Subscription | undefined;
  #query: QueryChange = {};
  /** The last query that a service has accepted. */
  #accepted: QueryChange | undefined;
  #check: ReturnType<typeof createBlockChecker> | undefined;
  #endFrame = 0;
  #opened = 0;
  #hasStarted = false;
  #isFinished = false;
  #hasEnded = false;

  constructor(options: Required<RollOverOptions<Status>>, listener: StreamListener<Status | StreamStatus>) {
    this.#options = options;
    this.#listener = listener;
  }

  start(): void {
    this.#changes = this.#options.query$.subscribe({
      next: change => this.#change(change),
      error: error => this.fail(error),
    });
    if (this.#hasEnded) return;
    this.#hasStarted = true;
    // A stream whose format is known connects ahead of the audio.
    this.#open(0, this.#options.startTs);
  }

  write(block: AudioBlock): void {
    if (this.#hasEnded) return;
    try {
      requireBlock('transcribe', block);
      this.#check ??= createBlockChecker({ ...block, sampleFormat: 'F32LE' });
      this.#check(block);
    } catch (error) {
      this.fail(error);
      return;
    }
    const session = this.#sessionAt(block);
    this.#endFrame = block.startFrame + framesOf(block);
    session?.write(block);
  }

  finish(): void {
    if (this.#hasEnded) return;
    this.#isFinished = true;
    // Without any audio a session reports that.
    if (!this.#current && this.#endFrame === 0) this.#open(0, this.#options.startTs);
    this.#current?.finish();
    this.#endWhenOver();
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // The error goes through a stream, so that there is a status as well.
    if (this.#current) this.#current.fail(error);
    else this.#listener({ type: 'status', status: { type: 'failed', error } });
    this.#end({ error });
  }

  /** Ends all sessions at once; idempotent. */
  close(): void {
    this.#hasEnded = true;
    this.#changes?.unsubscribe();
    for (const session of this.#sessions) session.close();
  }

  #change(change: QueryChange): void {
    if (this.#hasEnded || this.#isFinished) return;
    this.#query = { ...this.#query, ...change };
    const session = this.#current;
    if (!this.#hasStarted || !session) return;
    this.#current = undefined;
    if (session.hasAudio) session.replace();
    else {
      session.discard();
      this.#leave(session);
    }
  }

  /** Returns the current session; one begins with a block, where there is none. */
  #sessionAt(block?: AudioBlock): RolledSession<Status> | undefined {
    if (this.#current || !block) return this.#current;
    const { startFrame, sampleRate } = block;
    const endTs = this.#secondsAt(startFrame, sampleRate);
    const session = this.#open(startFrame, endTs);
    const ts = this.#secondsAt(this.#endFrame, sampleRate);
    if (endTs > ts) session?.take({ type: 'hole', cause: 'gap', ts, endTs });
    return session;
  }

  #secondsAt(frame: number, sampleRate: number): number {
    return secondsAt(frame, { sampleRate, startTs: this.#options.startTs });
  }

  #open(originFrame: number, startTs: number): RolledSession<Status> | undefined {
    const { open, holdSeconds, clock } = this.#options;
    const query = this.#query;
    try {
      const session: RolledSession<Status> = new RolledSession({
        stream: open({ ...query, ...(startTs > 0 && { startTs }) }, this.#opened++),
        originFrame,
        holdMs: holdSeconds * 1000,
        clock,
        onEvent: event => this.#emit(event),
        onStatus: status => this.#listener({ type: 'status', status }),
        onAccepted: () => {
          this.#accepted = query;
        },
        onOvertaken: () => this.#release(),
        onEnd: failure => this.#onEnd(session, failure),
      });
      this.#sessions = [...this.#sessions, session];
      this.#current = session;
      this.#release();
      session.start();
      return session;
    } catch (error) {
      this.#end({ error });
      return undefined;
    }
  }

  #emit(event: LiveEvent): void {
    if (!this.#hasEnded) this.#listener({ type: 'transcript', event });
  }

  #onEnd(session: RolledSession<Status>, failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    if (failure && !this.#reopen(session, failure.error)) {
      if (session.failed) this.#listener({ type: 'status', status: session.failed });
      this.#end(failure);
      return;
    }
    this.#leave(session);
    this.#endWhenOver();
  }

  /** Goes on with the query before, when the service has refused that of a new session. */
  #reopen(session: RolledSession<Status>, error: unknown): boolean {
    const { unheard } = session;
    const accepted = this.#accepted;
    if (!unheard || !accepted || session !== this.#current) return false;
    const reason = (error instanceof ServiceError && error.reason) || reasonOf(error);
    const message = `The service has refused a new query: ${reason}. The one before stays in force.`;
    this.#listener({ type: 'status', status: { type: 'warning', code: 'query-refused', message } });
    this.#query = accepted;
    this.#replay(unheard);
    return true;
  }

  #replay(blocks: readonly AudioBlock[]): void {
    this.#current = undefined;
    for (const block of blocks) this.#sessionAt(block)?.write(block);
    if (this.#isFinished) this.#sessionAt()?.finish();
  }

  #leave(session: RolledSession<Status>): void {
    this.#sessions = this.#sessions.filter(one => one !== session);
    if (this.#current === session) this.#current = undefined;
    this.#release();
  }

  /** Lets a session pass on its events once those before it are over or too slow. */
  #release(): void {
    for (const session of this.#sessions) {
      session.release();
      if (!session.isOvertaken) return;
    }
  }

  #endWhenOver(): void {
    if (this.#isFinished && this.#sessions.length === 0) this.#end();
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.close();
    this.#listener({ type: 'end', ...(failure && { failure }) });
  }
}
