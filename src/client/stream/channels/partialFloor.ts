import { settles } from '../../../transcript/merge/merge.ts';
import type { LiveEvent, PartialEvent } from '../../../transcript/model/events.ts';

/** The unfinished utterances of several channels, one of which is shown. */
export interface PartialFloor {
  /** The latest partial of each channel that has one. */
  readonly partials: ReadonlyMap<number, PartialEvent>;
  /** The channel whose partials are shown, if any channel has one. */
  readonly holder?: number;
}

export const emptyFloor: PartialFloor = { partials: new Map() };

export interface FloorStep {
  readonly floor: PartialFloor;
  /** Events to show now. */
  readonly events: readonly LiveEvent[];
}

/**
 * Returns the step after an event of a channel, so that a display of a single unfinished utterance can show several channels.
 *
 * The channel whose utterance began first keeps the floor until that is settled. Partials of the others wait, the latest
 * of each; then the earliest of them is shown.
 */
export function nextFloor(floor: PartialFloor, event: LiveEvent): FloorStep {
  if (event.type === 'connected') return { floor, events: [event] };
  const { channel = 0 } = event;
  if (event.type === 'partial') {
    const next = withHolder(new Map(floor.partials).set(channel, event), floor.holder);
    return { floor: next, events: next.holder === channel ? [event] : [] };
  }
  const waiting = floor.partials.get(channel);
  if (!waiting || !settles(event, waiting)) return { floor, events: [event] };
  const { floor: next, events } = leaveFloor(floor, channel);
  return { floor: next, events: [event, ...events] };
}

/** Returns the step after the end of a channel or of its connection: its utterance gets no further events for now. */
export function leaveFloor({ partials, holder }: PartialFloor, channel: number): FloorStep {
  const others = new Map(partials);
  others.delete(channel);
  const next = withHolder(others, holder);
  const isNew = next.holder !== undefined && next.holder !== holder;
  return { floor: next, events: isNew ? [others.get(next.holder)!] : [] };
}

/** Keeps the floor with its holder, or gives it to the utterance that began first. */
function withHolder(partials: PartialFloor['partials'], holder: number | undefined): PartialFloor {
  if (holder !== undefined && partials.has(holder)) return { partials, holder };
  const [first] = [...partials].toSorted(([a, { ts }], [b, { ts: otherTs }]) => ts - otherTs || a - b);
  return first ? { partials, holder: first[0] } : emptyFloor;
}
