import type { PartialEvent } from '../../transcript/model/events.ts';
import { channelOf } from '../../transcript/model/perChannel.ts';
import type { SessionRun } from '../session/sessionRun.ts';

/** Partials with words that were neither taken back nor became final: a final that got lost. In order. */
export function lostWords({ events }: Pick<SessionRun, 'events'>): readonly PartialEvent[] {
  const tails = new Map<number, PartialEvent>();
  const lost: PartialEvent[] = [];
  for (const { value } of events) {
    if (value.type !== 'partial' && value.type !== 'final') continue;
    const channel = channelOf(value);
    const tail = tails.get(channel);
    // What begins behind it is about something else.
    if (tail && value.elements.length > 0 && value.ts >= tail.endTs) lost.push(tail);
    if (value.type === 'partial' && value.elements.length > 0) tails.set(channel, value);
    else tails.delete(channel);
  }
  return [...lost, ...tails.values()];
}
