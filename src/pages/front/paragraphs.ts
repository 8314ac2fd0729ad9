import type { Monologue, TranscriptElement } from '../../transcript/model/model.ts';

/** Characters after which a paragraph ends with its sentence, and after which it ends in any case. */
const LONG = { sentence: 350, any: 1200 } as const;

/** A part of a turn. */
export interface Paragraph {
  readonly speaker: string;
  /** Start in seconds, of the first word that has one. */
  readonly ts: number | undefined;
  readonly elements: readonly TranscriptElement[];
}

/** Returns the name of a speaker. */
export const speakerName = ({ speaker, speakerInfo }: Omit<Monologue, 'elements'>) =>
  speakerInfo?.displayName ?? `Speaker ${speaker}`;

/** Cuts turns into paragraphs. */
export function paragraphsOf(monologues: readonly Monologue[]): readonly Paragraph[] {
  return monologues.flatMap(monologue =>
    cut(monologue.elements).map(elements => ({
      speaker: speakerName(monologue),
      ts: elements.find(element => element.type === 'text')?.ts,
      elements,
    })),
  );
}

function cut(elements: readonly TranscriptElement[]): readonly (readonly TranscriptElement[])[] {
  const paragraphs: TranscriptElement[][] = [[]];
  let length = 0;
  for (const element of elements) {
    paragraphs.at(-1)!.push(element);
    length += element.value.length;
    const endsSentence = element.type === 'punct' && /[.?!…。？！]/u.test(element.value);
    if (length < (endsSentence ? LONG.sentence : LONG.any)) continue;
    paragraphs.push([]);
    length = 0;
  }
  return paragraphs.filter(paragraph => paragraph.some(({ type }) => type !== 'punct'));
}
