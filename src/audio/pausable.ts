import { filter, type MonoTypeOperatorFunction, map, Observable } from 'rxjs';
import { type AudioBlock, framesOf } from './format/format.ts';

export interface PausableOptions {
  /** Whether there is a pause, whenever that changes. There is none before the first value; the last one stays. */
  readonly paused$: Observable<boolean>;
  /**
   * What positions do in a pause. `run`: they go on with the source, and the pause is a gap. `stop`: what follows is
   * renumbered, so that the pause leaves no trace. Default `run`.
   */
  readonly clock?: 'run' | 'stop';
}

/**
 * Lets no audio through in a pause; the source goes on, so that a microphone is back at once. A source that can wait
 * loses nothing when its gate is held instead.
 *
 * Blocks are not cut: one passes when there is no pause as it comes. So a pause begins and ends to within a block. A
 * source that falls silent in the pause by itself may go on with its numbers or leave some out. An error of `paused$` is
 * one of the stream.
 *
 * @example
 * const paused$ = new BehaviorSubject(false);
 * microphone().pipe(chunk(), pausable({ paused$, clock: 'stop' })).subscribe(block => console.log(block.startFrame));
 * paused$.next(true);
 */
export function pausable({ paused$, clock = 'run' }: PausableOptions): MonoTypeOperatorFunction<AudioBlock> {
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

/** Positions without the frames that were left out in pauses. */
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
