import { emptyTranscript, type Monologue, type TranscriptElement } from '../model/model.ts';
import { isSpace } from '../text/wordPieces.ts';
import type { Placed, Turn } from './turns.ts';

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Turns as monologues, in order. */
export function monologuesOf(last: Turn | undefined): readonly Monologue[] {
  const monologues: Monologue[] = [];
  for (let turn = last; turn; turn = turn.before) {
    turn.monologue ??= monologueOf(turn);
    monologues.push(turn.monologue);
  }
  return monologues.length === 0 ? emptyTranscript.monologues : monologues.reverse();
}

function monologueOf({ speaker, last }: Turn): Monologue {
  const parts: (readonly TranscriptElement[])[] = [];
  let speakerInfo: Monologue['speakerInfo'];
  for (let placed: Placed | undefined = last; placed; placed = placed.before) {
    parts.push(placed.elements);
    speakerInfo ??= placed.speakerInfo;
  }
  const elements: TranscriptElement[] = [];
  for (const part of parts.reverse()) {
    if (needsSpace(elements.at(-1), part[0])) elements.push(SPACE);
    for (const element of part) elements.push(element);
  }
  return { speaker, ...(speakerInfo && { speakerInfo }), elements };
}

function needsSpace(left: TranscriptElement | undefined, right: TranscriptElement | undefined): boolean {
  return left !== undefined && right !== undefined && !isSpace(left) && !isSpace(right);
}
