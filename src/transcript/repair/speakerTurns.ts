import type { LiveEvent } from '../model/events.ts';
import type { TranscriptElement } from '../model/model.ts';

/** What one speaker said: a final, or a monologue. */
export interface Said {
  /** Default 0. */
  readonly speaker?: number;
  readonly elements: readonly TranscriptElement[];
}

/** All that has text among events: finals, and what was repaired before. */
export function saidIn(events: readonly LiveEvent[]): readonly Said[] {
  return events.flatMap<Said>(event => {
    if (event.type === 'repair') return event.monologues;
    return event.type === 'final' ? [event] : [];
  });
}

/** The numbers of speakers that are told apart in events: of finals that name one, and of repairs. */
export function speakersIn(events: Iterable<LiveEvent>): ReadonlySet<number> {
  const speakers = new Set<number>();
  for (const event of events) {
    if (event.type === 'final' && event.speaker !== undefined) speakers.add(event.speaker);
    if (event.type === 'repair') for (const { speaker } of event.monologues) speakers.add(speaker);
  }
  return speakers;
}
