import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { type Clock, systemClock } from '../base/clock.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import { namedOptions } from '../base/namedOptions.ts';
import { Demand, MARK } from '../flow/demand.ts';
import { type Gate, holdAll } from '../flow/gate.ts';
import { type AudioBlock, endSecondsOf, framesOf } from './format/format.ts';

export interface PaceOptions {
  /** Seconds of audio per second; `max` passes audio on as fast as it arrives. Default 1, real time. */
  readonly speed?: number | 'max';
  /** A gate that is held while audio waits, for a source that does not wait by itself. */
  readonly gate?: Gate;
  /** Default {@link systemClock}. */
  readonly clock?: Clock;
}

/** Milliseconds of buffered audio beyond which the source has to wait. */
export const PACE_AHEAD_MS = 500;

/**
 * Emits recorded audio in real time, as if it were spoken now. A block is emitted when its last frame is due, as from a
 * microphone. Due times count from the arrival of the first block, so delays do not accumulate. Put `chunk()` before it, as
 * blocks are emitted whole. Completion and errors follow the buffered audio. A source that can wait does so, while the
 * consumer has to buffer, as with a microphone.
 *
 * @throws InvalidArgumentError when the speed is neither a positive number nor `max`
 * @example
 * import { chunk, fromFile, pace } from 'rxscribe';
 *
 * fromFile('talk.wav')
 *   .pipe(chunk(100), pace())
 *   .subscribe(block => console.log(block.startFrame));
 */
export function pace(options: PaceOptions = {}): MonoTypeOperatorFunction<AudioBlock> {
  namedOptions('PaceOptions', options);
  const { speed = 1, gate, clock = systemClock } = options;
  if (speed === 'max') return source => source;
  if (!(speed > 0 && Number.isFinite(speed))) {
    throw new InvalidArgumentError(`Option 'speed' must be a positive number or 'max', not ${speed}.`);
  }
  return source =>
    new Observable(subscriber => {
      const demand = new Demand();
      const emit = ({ [MARK]: _, ...block }: AudioBlock) => subscriber.next(block);
      const gates = [demand.gate, ...(gate ? [gate] : [])];
      const pacer = createPacer({ speed, gates, clock, emit });
      const subscription = demand.subscribing(() =>
        source.subscribe({
          next(block) {
            pacer.push(block);
            demand.received(block, endSecondsOf(block));
          },
          error: error => pacer.end(() => subscriber.error(error)),
          complete: () => pacer.end(() => subscriber.complete()),
        }),
      );
      return () => {
        subscription.unsubscribe();
        pacer.close();
        demand.close();
      };
    });
}

interface Pacer {
  push(block: AudioBlock): void;
  /** Calls back after the last block was emitted. */
  end(callback: () => void): void;
  close(): void;
}

interface PacerOptions {
  readonly speed: number;
  readonly gates: readonly Gate[];
  readonly clock: Clock;
  readonly emit: (block: AudioBlock) => void;
}

function createPacer({ speed, gates, clock, emit }: PacerOptions): Pacer {
  let queue: AudioBlock[] = [];
  let dueMs: (block: AudioBlock) => number;
  let cancel: (() => void) | undefined;
  let release: (() => void) | undefined;
  let finish: (() => void) | undefined;

  function emitDue(): void {
    for (let block = queue[0]; block; block = queue[0]) {
      const waitMs = dueMs(block) - clock.now();
      if (waitMs > 0) {
        // The consumer of the previous block may have pushed the next one synchronously, which started a timer.
        cancel?.();
        cancel = clock.schedule(waitMs, emitDue);
        break;
      }
      queue.shift();
      emit(block);
    }
    balance();
    if (queue.length === 0) finish?.();
  }

  function balance(): void {
    const last = queue.at(-1);
    const aheadMs = last ? dueMs(last) - clock.now() : 0;
    if (aheadMs > PACE_AHEAD_MS) release ??= holdAll(gates);
    else if (aheadMs <= PACE_AHEAD_MS / 2) letSourceGo();
  }

  function letSourceGo(): void {
    release?.();
    release = undefined;
  }

  return {
    push(block) {
      dueMs ??= dueTimes(block, speed, clock.now());
      queue.push(block);
      if (queue.length === 1) emitDue();
      else balance();
    },
    end(callback) {
      finish = callback;
      if (queue.length === 0) finish();
    },
    close() {
      queue = [];
      cancel?.();
      letSourceGo();
    },
  };
}

/** Returns a function that returns the time at which the last frame of a block is due, if the first block begins now. */
function dueTimes(first: AudioBlock, speed: number, nowMs: number): (block: AudioBlock) => number {
  return block => {
    const frames = block.startFrame + framesOf(block) - first.startFrame;
    return nowMs + (frames * 1000) / (block.sampleRate * speed);
  };
}
