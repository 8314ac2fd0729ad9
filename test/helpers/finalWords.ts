import type { LiveEvent } from '../../src/transcript/model/events.ts';
import type { TextElement } from '../../src/transcript/model/model.ts';

/** The words of the finals, in the order in which they came. */
export function finalWords(events: readonly LiveEvent[]): readonly TextElement[] {
  return events.flatMap(event =>
    event.type === 'final' ? event.elements.filter(element => element.type === 'text') : [],
  );
}
