import type { Clock } from '../../base/clock.ts';
import type { VirtualClock } from './virtualClock.ts';

/** A clock that may stand still for whoever is busy: as {@link VirtualClock} does, and whatever passes these on to one. */
export type StillClock = Clock & Partial<Pick<VirtualClock, 'hold' | 'join'>>;
