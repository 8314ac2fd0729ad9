import { settles } from '../../../transcript/merge/merge.ts';
import type { LiveEvent, PartialEvent } from '../../../transcript/model/events.ts';

/** The unfinished utterances of several channels, one of which is shown. */
export interface PartialSelection {
  /** The latest partial of each channel that has one. */
  readonly partials: ReadonlyMap<number, PartialEvent>;
  /** The channel whose partials are shown, if any channel has one. */
  readonly shownChannel?: number;
}

export const emptySelection: PartialSelection = { partials: new Map() };

export interface SelectionStep {
  readonly selection: PartialSelection;
  /** Events to show now. */
  readonly events: readonly LiveEvent[];
}

/**
 * Returns the step after an event of a channel, so that a display of a single unfinished utterance can show several channels.
 *
 * The channel whose utterance began first is shown until that utterance is settled. Partials of the others wait, the latest
 * of each; then the earliest of them is shown.
 */
export function nextSelection(selection: PartialSelection, event: LiveEvent): SelectionStep {
  if (event.type === 'connected') return { selection, events: [event] };
  const { channel = 0 } = event;
  if (event.type === 'partial' && event.elements.length === 0) {
    const removed = removeChannel(selection, channel);
    return channel === selection.shownChannel ? { ...removed, events: [event, ...removed.events] } : removed;
  }
  if (event.type === 'partial') {
    const next = withShownChannel(new Map(selection.partials).set(channel, event), selection.shownChannel);
    return { selection: next, events: next.shownChannel === channel ? [event] : [] };
  }
  const waiting = selection.partials.get(channel);
  if (!waiting || !settles(event, waiting)) return { selection, events: [event] };
  const { selection: next, events } = removeChannel(selection, channel);
  return { selection: next, events: [event, ...events] };
}

/** Returns the step after the end of a channel or of its connection: its utterance gets no further events for now. */
export function removeChannel({ partials, shownChannel }: PartialSelection, channel: number): SelectionStep {
  const others = new Map(partials);
  others.delete(channel);
  const next = withShownChannel(others, shownChannel);
  const isNew = next.shownChannel !== undefined && next.shownChannel !== shownChannel;
  return { selection: next, events: isNew ? [others.get(next.shownChannel)!] : [] };
}

/** Keeps the shown channel while it has a partial, or shows the utterance that began first. */
function withShownChannel(
  partials: PartialSelection['partials'],
  shownChannel: number | undefined,
): PartialSelection {
  if (shownChannel !== undefined && partials.has(shownChannel)) return { partials, shownChannel };
  const [first] = [...partials].toSorted(([a, { ts }], [b, { ts: otherTs }]) => ts - otherTs || a - b);
  return first ? { partials, shownChannel: first[0] } : emptySelection;
}
