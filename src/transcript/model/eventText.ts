import type { LiveEvent } from './events.ts';
import { textOf } from './model.ts';

/** Returns an event with the text of its words, if it can have any. The turns of a repair are lines. */
export function withText<Event extends LiveEvent>(event: Event): Event {
  if ('elements' in event) return { ...event, text: textOf(event.elements) };
  if (event.type !== 'repair') return event;
  return { ...event, text: event.monologues.map(({ elements }) => textOf(elements)).join('\n') };
}

/** Returns an event without the text that follows from its elements, as files keep it. */
export function withoutText(event: LiveEvent): LiveEvent {
  if (!('text' in event)) return event;
  const { text: _, ...rest } = event;
  return rest;
}
