import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { LinkStatus } from './connectionNotes.ts';

/** A shorter break is over before readers miss anything. */
export const OUTAGE_MS = 2000;

export interface Outages {
  /** Whether no channel is live, and has not been for a while. */
  readonly paused$: Observable<boolean>;
  status(status: LinkStatus): void;
  close(): void;
}

/** Tells outages from where the streams of all channels stand. */
export function createOutages(clock: Clock): Outages {
  const paused$ = new BehaviorSubject(false);
  /** Of each channel, whether it is gone. */
  const isGone = new Map<number, boolean>();
  const waits = new Map<number, () => void>();
  const set = (channel: number, gone: boolean) => {
    waits.get(channel)?.();
    waits.delete(channel);
    isGone.set(channel, gone);
    paused$.next([...isGone.values()].every(Boolean));
  };
  return {
    paused$: paused$.pipe(distinctUntilChanged()),
    status({ type, channel = 0 }) {
      if (!isGone.has(channel)) isGone.set(channel, false);
      if (type === 'connected') set(channel, false);
      else if (type === 'fallback') set(channel, true);
      else if (type === 'reconnecting' && !isGone.get(channel) && !waits.has(channel)) {
        waits.set(
          channel,
          clock.schedule(OUTAGE_MS, () => set(channel, true)),
        );
      }
    },
    close() {
      for (const cancel of waits.values()) cancel();
      waits.clear();
      paused$.complete();
    },
  };
}
