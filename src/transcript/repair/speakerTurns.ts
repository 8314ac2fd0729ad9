import type { LiveEvent } from '../model/events.ts';
import type { TranscriptElement } from '../model/model.ts';
import { inOrder, timedWords } from '../text/repeatedWords.ts';

/** Elements of one speaker: a final or a monologue. */
export interface SpeakerTurn {
  /** Speaker number. Default 0. */
  readonly speaker?: number;
  readonly elements: readonly TranscriptElement[];
}

/** Returns the turns in events: the finals, and the monologues of repairs. */
export function turnsIn(events: readonly LiveEvent[]): readonly SpeakerTurn[] {
  return events.flatMap<SpeakerTurn>(event => {
    if (event.type === 'repair') return event.monologues;
    return event.type === 'final' ? [event] : [];
  });
}

/** Returns the speaker numbers in events: of finals with a speaker, and of repairs. */
export function speakersIn(events: Iterable<LiveEvent>): ReadonlySet<number> {
  const speakers = new Set<number>();
  for (const event of events) {
    if (event.type === 'final' && event.speaker !== undefined) speakers.add(event.speaker);
    if (event.type === 'repair') for (const { speaker } of event.monologues) speakers.add(speaker);
  }
  return speakers;
}

/** Returns the words of turns that have times, in order of their starts. */
export const wordsIn = (said: readonly SpeakerTurn[]) =>
  inOrder(said.flatMap(({ elements }) => timedWords(elements)));
