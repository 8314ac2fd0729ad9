import { spanOf, type Transcript, type TranscriptElement } from '../../transcript/model/model.ts';
import { sentencesOf } from '../../transcript/text/sentences.ts';

/** A sentence, and where it stands: in a text, or in the audio of a transcript. */
export interface PlacedSentence {
  readonly content: string;
  /** First character in a text, in UTF-16 code units. */
  readonly offset?: number;
  readonly length?: number;
  /** Seconds. */
  readonly ts?: number;
  readonly endTs?: number;
}

export function* placedInText(text: string): Generator<PlacedSentence> {
  for (const { text: content, offset } of sentencesOf(text))
    yield { content, offset, length: content.length };
}

/** Sentences of a transcript; none goes over from one speaker to the next. */
export function* placedInTranscript({ monologues }: Transcript): Generator<PlacedSentence> {
  for (const { elements } of monologues) yield* placedInElements(elements);
}

function* placedInElements(elements: readonly TranscriptElement[]): Generator<PlacedSentence> {
  const { text, starts } = writtenOut(elements);
  let next = 0;
  for (const { text: content, offset } of sentencesOf(text)) {
    const first = next;
    while (next < elements.length && starts[next]! < offset + content.length) next++;
    yield { content, ...spanOf(elements.slice(first, next)) };
  }
}

/** Elements as `textOf` writes them, with where each begins. */
function writtenOut(elements: readonly TranscriptElement[]): {
  readonly text: string;
  readonly starts: readonly number[];
} {
  const starts: number[] = [];
  let text = '';
  for (const [index, element] of elements.entries()) {
    const isApart = index > 0 && elements[index - 1]!.type !== 'punct' && element.type !== 'punct';
    if (isApart) text += ' ';
    starts.push(text.length);
    text += element.value;
  }
  return { text, starts };
}
