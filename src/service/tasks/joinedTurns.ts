import type { Monologue, Transcript, TranscriptElement } from '../../transcript/model/model.ts';

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Returns turns as a transcript: those without elements are left out, and consecutive ones of one speaker form one monologue. */
export function joinedTurns(turns: Iterable<Pick<Monologue, 'speaker' | 'elements'>>): Transcript {
  const monologues: { speaker: number; elements: TranscriptElement[] }[] = [];
  for (const { speaker, elements } of turns) {
    if (elements.length === 0) continue;
    const open = monologues.at(-1);
    // Added one by one: an hour of words is too many arguments for one call.
    if (open?.speaker === speaker) for (const element of [SPACE, ...elements]) open.elements.push(element);
    else monologues.push({ speaker, elements: [...elements] });
  }
  return { monologues };
}
