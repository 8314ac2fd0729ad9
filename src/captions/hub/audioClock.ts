import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AudioBlock, framesOf } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';

/** Share by which one block changes the estimate: the delivery of blocks jitters, while clocks of devices drift slowly. */
const ADAPTATION = 0.01;
/** A difference in milliseconds that no jitter explains: the source has stopped for some time. */
const STEP_MS = 2000;

/** The relation of positions in live audio to the time of day. */
export interface AudioClock {
  /** Position of the latest audio in seconds. */
  readonly nowTs: number;
  /** Returns the time of day at which a position was captured, in milliseconds since 1970-01-01 UTC. */
  wallTimeMs(ts: number): number;
  /** Returns an operator that reads the positions of the blocks that pass. */
  follow(): MonoTypeOperatorFunction<AudioBlock>;
}

/** Creates the clock of one source, whose first frame is at `startTs` seconds. */
export function createAudioClock(clock: Clock, startTs = 0): AudioClock {
  let originMs: number | undefined;
  let nowTs = startTs;
  return {
    get nowTs() {
      return nowTs;
    },
    wallTimeMs: ts => (originMs ?? clock.wallTime()) + ts * 1000,
    follow: () =>
      tap(block => {
        nowTs = startTs + (block.startFrame + framesOf(block)) / block.sampleRate;
        const heard = clock.wallTime() - nowTs * 1000;
        const change = heard - (originMs ?? heard);
        originMs = Math.abs(change) > STEP_MS ? heard : heard - change + ADAPTATION * change;
      }),
  };
}
