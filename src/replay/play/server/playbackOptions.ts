import type { HoldableClock } from '../../time/virtualClock.ts';
import type { FaultSchedule } from '../faults/faultSchedule.ts';
import type { MatchOptions } from '../match/connectionWatch.ts';

/** Options of the playback of a cassette. */
export interface PlaybackOptions {
  /**
   * Time of each message. `none`: as soon as as much audio has arrived as in the recording. `recorded`: as long after
   * that as in the recording, on the clock. Default `none`.
   */
  readonly latency: 'none' | 'recorded';
  /** Faults. Default: none. */
  readonly faults: FaultSchedule;
  /** Seed of everything random: the same seed and the same audio give the same bytes. Default 0. */
  readonly seed: number;
  /** Clock of latencies and faults. A `VirtualClock` waits for this server. Default: the system clock. */
  readonly clock: HoldableClock;
  /** Parts of the session to compare with the recording. Default: all. */
  readonly match: MatchOptions;
  /** Token that clients need. Default: a random one. */
  readonly token: string;
}
