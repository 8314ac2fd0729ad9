import { filter, type MonoTypeOperatorFunction, map, Observable } from 'rxjs';
import { namedOptions } from '../base/namedOptions.ts';
import { type AudioBlock, framesOf } from './format/format.ts';

export interface PausableOptions {
  /** True to pause, false to continue. Not paused before the first value; the last value stays in force. */
  readonly paused$: Observable<boolean>;
  /**
   * Positions during a pause. `run`: they advance with the source, and the pause is a gap. `stop`: they stop, and later
   * blocks are renumbered without a gap. Default `run`.
   */
  readonly clock?: 'run' | 'stop';
}

/**
 * Drops audio during a pause. The source keeps running, so that a microphone continues without a delay. To pause a source that
 * can wait without a loss, hold its gate instead.
 *
 * Blocks are not cut: each is passed on or dropped as it arrives, so a pause is accurate to one block. The source itself may
 * stop emitting during the pause, with or without a gap in its positions. An error of `paused$` fails the stream.
 *
 * @example
 * import { BehaviorSubject } from 'rxjs';
 * import { chunk, microphone, pausable } from 'rxscribe';
 *
 * const paused$ = new BehaviorSubject(false);
 * microphone()
 *   .pipe(chunk(), pausable({ paused$, clock: 'stop' }))
 *   .subscribe(block => console.log(block.startFrame));
 * paused$.next(true);
 */
export function pausable(options: PausableOptions): MonoTypeOperatorFunction<AudioBlock> {
  const { paused$, clock = 'run' } = namedOptions('PausableOptions', options);
  return source =>
    new Observable(subscriber => {
      const numbering = createNumbering();
      let isPaused = false;
      const pauses = paused$.subscribe({
        next(value) {
          isPaused = value;
          if (value && clock === 'stop') numbering.pause();
        },
        error: error => subscriber.error(error),
      });
      subscriber.add(pauses);
      if (subscriber.closed) return;
      source
        .pipe(
          filter(() => !isPaused),
          map(block => numbering.next(block)),
        )
        .subscribe(subscriber);
    });
}

/** Renumbers blocks without the frames that were dropped in pauses. */
function createNumbering() {
  let hasPaused = false;
  let endFrame = 0;
  let omittedFrames = 0;
  return {
    pause() {
      hasPaused = true;
    },
    next(block: AudioBlock): AudioBlock {
      if (hasPaused) omittedFrames += block.startFrame - endFrame;
      hasPaused = false;
      endFrame = block.startFrame + framesOf(block);
      return omittedFrames === 0 ? block : { ...block, startFrame: block.startFrame - omittedFrames };
    },
  };
}
