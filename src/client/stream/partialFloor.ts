import type { LiveEvent, PartialEvent } from '../../transcript/events.ts';

/** The unfinished utterances of several channels, and whose is shown. */
export interface PartialFloor {
  /** The latest partial of each channel that has one. */
  readonly partials: ReadonlyMap<number, PartialEvent>;
  /** The channel whose partials are shown, if any channel has one. */
  readonly holder?: number;
}

export const emptyFloor: PartialFloor = { partials: new Map() };

export interface FloorStep {
  readonly floor: PartialFloor;
  /** To be shown now. */
  readonly events: readonly LiveEvent[];
}

/**
 * The step after an event of a channel, so that whoever knows a single unfinished utterance can show several channels.
 *
 * The channel whose utterance began first keeps the floor until that is settled. Partials of the others wait, the latest
 * of each; then the earliest of them is shown. A final is taken for the end of whatever is shown, so what is shown is told
 * again behind it.
 */
export function nextFloor(floor: PartialFloor, event: LiveEvent): FloorStep {
  if (event.type === 'connected') return { floor, events: [event] };
  const { channel = 0 } = event;
  if (event.type === 'partial') {
    const next = withHolder(new Map(floor.partials).set(channel, event), floor.holder);
    return { floor: next, events: next.holder === channel ? [event] : [] };
  }
  const waiting = floor.partials.get(channel);
  const isSettled = waiting !== undefined && waiting.ts < event.endTs;
  const next = isSettled ? withoutChannel(floor, channel) : floor;
  const isTold = event.type === 'final' || next.holder !== floor.holder;
  return { floor: next, events: [event, ...(isTold ? shown(next) : [])] };
}

/** The step after the end of a channel: of its utterance nothing more will come. */
export function leaveFloor(floor: PartialFloor, channel: number): FloorStep {
  const next = withoutChannel(floor, channel);
  return { floor: next, events: next.holder === floor.holder ? [] : shown(next) };
}

function withoutChannel({ partials, holder }: PartialFloor, channel: number): PartialFloor {
  const others = new Map(partials);
  others.delete(channel);
  return withHolder(others, holder);
}

/** The floor stays with who has it, else goes to the utterance that began first. */
function withHolder(partials: PartialFloor['partials'], holder: number | undefined): PartialFloor {
  if (holder !== undefined && partials.has(holder)) return { partials, holder };
  const [first] = [...partials].toSorted(([a, { ts }], [b, { ts: otherTs }]) => ts - otherTs || a - b);
  return first ? { partials, holder: first[0] } : emptyFloor;
}

function shown({ partials, holder }: PartialFloor): readonly PartialEvent[] {
  return holder === undefined ? [] : [partials.get(holder)!];
}
