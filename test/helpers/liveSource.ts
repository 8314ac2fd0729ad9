import { Subject } from 'rxjs';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import type { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import { blockAt, TEST_RATE } from './streamBlocks.ts';

/** Virtual time of one turn of the event loop: an answer that takes some turns is there within a second. */
const STEP_MS = 50;

/** A source that emits a second of audio each second, and advances its virtual clock. */
export class LiveSource {
  readonly audio$ = new Subject<AudioBlock>();
  /** Position, in whole seconds of audio. */
  seconds = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Emits seconds of audio at once. */
  give(seconds: number): void {
    for (let i = 0; i < seconds; i++) this.audio$.next(blockAt(this.seconds++ * TEST_RATE, TEST_RATE));
  }

  /** Emits seconds of audio in virtual time. */
  async play(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.give(1);
      await this.wait(1);
    }
  }

  /** Lets time pass without audio, as a stopped source. */
  async wait(seconds: number): Promise<void> {
    for (let ms = 0; ms < seconds * 1000; ms += STEP_MS) await this.#clock.advanceAsync(STEP_MS);
  }

  /** Advances the position without emitting audio. */
  skip(seconds: number): void {
    this.seconds += seconds;
  }
}
