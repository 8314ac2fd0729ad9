import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/perChannel.ts';
import type { SessionRun, Timed } from '../session/sessionRun.ts';

/** A final, and the partials that came before it since the final before. */
export interface Utterance {
  readonly partials: readonly Timed<PartialEvent>[];
  readonly final: Timed<FinalEvent>;
}

/** Utterances of a run in the order of their finals; partials that became none are left out. */
export function utterancesOf({ events }: Pick<SessionRun, 'events'>): readonly Utterance[] {
  const open = new Map<number, Timed<PartialEvent>[]>();
  const utterances: Utterance[] = [];
  for (const { atMs, value } of events) {
    if (value.type !== 'partial' && value.type !== 'final') continue;
    const channel = channelOf(value);
    const partials = open.get(channel) ?? [];
    if (value.type === 'partial') {
      partials.push({ atMs, value });
      open.set(channel, partials);
    } else {
      open.delete(channel);
      utterances.push({ partials, final: { atMs, value } });
    }
  }
  return utterances;
}
