import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { type Clock, systemClock } from '../base/clock.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import type { Gate } from '../flow/gate.ts';
import { type AudioBlock, framesOf } from './format/format.ts';

export interface PaceOptions {
  /** Seconds of audio in a second: 1 is live, any positive number, or `max` for as fast as it comes. */
  readonly speed: number | 'max';
  /** The gate that the source waits at. Without it everything that the source pushes is kept. */
  readonly gate?: Gate;
  /** Default {@link systemClock}. */
  readonly clock?: Clock;
}

/** The gate is held while the last block kept is due later than this. */
export const PACE_AHEAD_MS = 500;

/**
 * Lets recorded audio out as if it were spoken now. A block comes when its last frame is due, as from a microphone; due
 * times count from the arrival of the first block, so delays never add up. Put `chunk()` before, since a block is the
 * step of time.
 *
 * Completion and error keep their place behind the audio.
 *
 * @throws InvalidArgumentError when the speed is not a positive number
 * @example
 * const gate = createGate();
 * fromFile('talk.wav', { gate }).pipe(chunk(100), pace({ speed: 1, gate }));
 */
export function pace(options: PaceOptions): MonoTypeOperatorFunction<AudioBlock> {
  const { speed, gate, clock = systemClock } = options;
  if (speed === 'max') return source => source;
  if (!(speed > 0 && Number.isFinite(speed))) {
    throw new InvalidArgumentError(`pace: wanted a positive speed or 'max', found ${speed}`);
  }
  return source =>
    new Observable(subscriber => {
      const pacer = createPacer({ speed, gate, clock, emit: block => subscriber.next(block) });
      const subscription = source.subscribe({
        next: block => pacer.push(block),
        error: error => pacer.end(() => subscriber.error(error)),
        complete: () => pacer.end(() => subscriber.complete()),
      });
      return () => {
        subscription.unsubscribe();
        pacer.close();
      };
    });
}

interface Pacer {
  push(block: AudioBlock): void;
  /** Calls back after the last block. */
  end(callback: () => void): void;
  close(): void;
}

interface PacerOptions {
  readonly speed: number;
  readonly gate: Gate | undefined;
  readonly clock: Clock;
  readonly emit: (block: AudioBlock) => void;
}

function createPacer({ speed, gate, clock, emit }: PacerOptions): Pacer {
  let queue: AudioBlock[] = [];
  let dueMs: (block: AudioBlock) => number;
  let cancel: (() => void) | undefined;
  let release: (() => void) | undefined;
  let finish: (() => void) | undefined;

  function emitDue(): void {
    for (let block = queue[0]; block; block = queue[0]) {
      const waitMs = dueMs(block) - clock.now();
      if (waitMs > 0) {
        // Whoever took the block before may have sent the next one, which set a timer already.
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
    if (aheadMs > PACE_AHEAD_MS) release ??= gate?.hold();
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

/** When the last frame of a block is spoken, if the first block begins now. */
function dueTimes(first: AudioBlock, speed: number, nowMs: number): (block: AudioBlock) => number {
  return block => {
    const frames = block.startFrame + framesOf(block) - first.startFrame;
    return nowMs + (frames * 1000) / (block.sampleRate * speed);
  };
}
