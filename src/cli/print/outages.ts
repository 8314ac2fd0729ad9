import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { ChannelStatus } from './connectionNotes.ts';

/** Milliseconds after which a break counts as an outage: readers do not notice a shorter one. */
export const OUTAGE_MS = 2000;

/** Outages of all channels of a stream together. */
export interface Outages {
  /** Emits true when no channel has been live for {@link OUTAGE_MS}, and false when one is live again. */
  readonly paused$: Observable<boolean>;
  status(status: ChannelStatus): void;
  close(): void;
}

/** Derives outages from the statuses of all channels. */
export function createOutages(clock: Clock): Outages {
  const paused$ = new BehaviorSubject(false);
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
