import { type TranscriptElement, writtenOut } from '../../transcript/model/model.ts';
import { sentencesOf } from '../../transcript/text/sentences.ts';

/** A sentence of a turn, with its elements. */
export interface SpokenSentence {
  readonly content: string;
  readonly elements: readonly TranscriptElement[];
}

/** Yields the sentences in the elements of a turn. */
export function* sentencesIn(elements: readonly TranscriptElement[]): Generator<SpokenSentence> {
  const { text, starts } = writtenOut(elements);
  let next = 0;
  for (const { text: content, offset } of sentencesOf(text)) {
    const first = next;
    while ((starts[next] ?? Number.POSITIVE_INFINITY) < offset + content.length) next++;
    yield { content, elements: elements.slice(first, next) };
  }
}
