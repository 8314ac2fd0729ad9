import { Observable, type Subscriber, Subscription } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { failOnStall } from '../../flow/failOnStall.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { type FirstBlocks, Timeline } from './timeline.ts';

/** One connection to a live source. */
export interface Attempt {
  /** Device or host, for messages. */
  readonly name: string;
  /** Counts its frames from 0. It fails when the source is lost, and completes when the source has ended for good. */
  readonly audio$: Observable<AudioBlock>;
  /** Longest time before the first block. */
  readonly openMs: number;
  /** Returns the time of frame 0 on the clock of the source, once it is known. */
  readonly originSeconds?: () => number | undefined;
}

export interface ReconnectingOptions {
  /** Returns a connection. The number counts from 0 after each loss of a source that had been steady. */
  readonly connect: (attempt: number) => Attempt;
  /** Returns the time to wait before an attempt from 1 on. */
  readonly waitMs: (attempt: number) => number;
  /** Hz, of all attempts. */
  readonly sampleRate: number;
  /** Longest time without a block before the source counts as lost. */
  readonly lossMs: number;
  /** Time in which the first blocks of an attempt are collected, as a server may send older audio first. */
  readonly settleMs: number;
  readonly onStatus: (status: SourceStatus) => void;
  readonly clock: Clock;
}

/** Milliseconds for the signal of Ctrl-C to arrive, which also ends the programs of the source, before their end is a loss. */
const SIGNAL_MS = 100;

/** Milliseconds that a connection must last before the next attempt counts as the first one again. */
const STEADY_MS = 5000;

/** Maximum audio that is collected, in seconds. */
const MAX_SETTLE_SECONDS = 60;

/**
 * Emits the audio of a live source, and connects again whenever it is lost. Positions advance with time during a loss, so that
 * it is a gap. A source that fails before its first block is an error; later failures are reported, and end only with the
 * subscription.
 */
export function reconnecting(options: ReconnectingOptions): Observable<AudioBlock> {
  return new Observable(subscriber => {
    const connection = new Reconnection(subscriber, options);
    connection.connect();
    return () => connection.close();
  });
}

class Reconnection {
  readonly #subscriber: Subscriber<AudioBlock>;
  readonly #options: ReconnectingOptions;
  readonly #timeline: Timeline;
  #attempt = 0;
  #running = new Subscription();
  #cancelWait = () => {};
  /** Arrival of the first block of the attempt. */
  #sinceMs: number | undefined;
  #isLost = false;

  constructor(subscriber: Subscriber<AudioBlock>, options: ReconnectingOptions) {
    this.#subscriber = subscriber;
    this.#options = options;
    this.#timeline = new Timeline(options.sampleRate);
  }

  connect(): void {
    const { connect, lossMs, clock } = this.#options;
    const attempt = connect(this.#attempt);
    const running = new Subscription();
    this.#running = running;
    this.#sinceMs = undefined;
    const first = this.#firstBlocks(attempt, running);
    const error = (stalledMs: number) =>
      new RxscribeError('timeout', `No audio came from ${attempt.name} for ${stalledMs / 1000} s.`);
    const audio$ = attempt.audio$.pipe(
      failOnStall({ firstMs: attempt.openMs, eachMs: lossMs, clock, error }),
    );
    running.add(
      audio$.subscribe({
        next: block => first.take(block),
        error: reason => this.#fail(reason, attempt),
        complete: () => {
          first.release();
          this.#subscriber.complete();
        },
      }),
    );
  }

  close(): void {
    this.#cancelWait();
    this.#running.unsubscribe();
  }

  /** Returns an operator that collects the first blocks of an attempt, and passes later blocks on. */
  #firstBlocks(attempt: Attempt, running: Subscription) {
    const { settleMs, clock, sampleRate } = this.#options;
    let held: AudioBlock[] | undefined = [];
    let heldFrames = 0;
    const release = () => {
      const [first, ...rest] = held ?? [];
      held = undefined;
      if (first) this.#begin([first, ...rest], attempt);
    };
    const take = (block: AudioBlock) => {
      if (!held) return this.#emit(block);
      held.push(block);
      heldFrames += framesOf(block);
      if (settleMs === 0 || heldFrames > MAX_SETTLE_SECONDS * sampleRate) release();
      else if (held.length === 1) running.add(clock.schedule(settleMs, release));
    };
    return { take, release };
  }

  #begin(blocks: FirstBlocks, { name, originSeconds }: Attempt): void {
    const { clock, onStatus } = this.#options;
    const nowMs = clock.now();
    this.#sinceMs = nowMs;
    const missingSeconds = this.#timeline.begin(blocks, nowMs, originSeconds?.());
    if (this.#isLost) {
      const lostSeconds = Math.round(missingSeconds * 10) / 10;
      const missing = lostSeconds > 0 ? `; ${lostSeconds} s are missing` : '';
      const message = `There is audio from ${name} again${missing}.`;
      onStatus({ type: 'back', name, lostSeconds, message });
    }
    this.#isLost = false;
    for (const block of blocks) this.#emit(block);
  }

  #emit(block: AudioBlock): void {
    const placed = this.#timeline.place(block, this.#options.clock.now());
    if (placed) this.#subscriber.next(placed);
  }

  #fail(error: unknown, { name }: Attempt): void {
    const { clock, onStatus, waitMs } = this.#options;
    this.#running.unsubscribe();
    if (this.#timeline.arrivedMs === undefined) {
      this.#subscriber.error(error);
      return;
    }
    const lastedMs = this.#sinceMs === undefined ? 0 : clock.now() - this.#sinceMs;
    this.#attempt = lastedMs >= STEADY_MS ? 0 : this.#attempt + 1;
    const delayMs = this.#attempt === 0 ? SIGNAL_MS : Math.max(SIGNAL_MS, waitMs(this.#attempt));
    this.#cancelWait = clock.schedule(this.#isLost ? delayMs : SIGNAL_MS, () => {
      if (this.#isLost) return this.connect();
      this.#isLost = true;
      onStatus({ type: 'lost', name, message: `The audio from ${name} is lost. ${messageOf(error)}` });
      this.#cancelWait = clock.schedule(delayMs - SIGNAL_MS, () => this.connect());
    });
  }
}

/** A change in the state of a live source. */
export interface SourceStatus {
  /**
   * `waiting`: no sender is there yet, or the browser gives no audio yet. `lost`: the audio ended or stopped, and is awaited.
   * `back`: there is audio again. `device`: the device that is heard is known, or has changed. `silent`: the audio is digital
   * silence, as of a muted device. `audible`: that silence is over.
   */
  readonly type: 'waiting' | 'lost' | 'back' | 'device' | 'silent' | 'audible';
  /** A whole sentence for people. */
  readonly message: string;
  /** Device or host that the audio comes from. */
  readonly name: string;
  /** Seconds of audio that are missing, for `back`. */
  readonly lostSeconds?: number;
  /** True for another device than the wanted one, for `back` and `device`. */
  readonly isOther?: boolean;
}

/** Emits a process warning for a status that needs attention, which Node prints on stderr by default. */
export function warnOfStatus({ type, message }: SourceStatus): void {
  if (type === 'lost' || type === 'silent') {
    process.emitWarning(message, { type: 'AudioWarning', code: `audio-${type}` });
  }
}
