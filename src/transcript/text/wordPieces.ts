import type { TranscriptElement } from '../model/model.ts';

/** A word, or a sound that is no word, with the marks that belong to it. */
export interface WordPiece {
  /** White space, as elements, between it and the piece before. */
  readonly before: readonly TranscriptElement[];
  readonly elements: readonly TranscriptElement[];
  /** Where the word starts, in seconds, if that is known. */
  readonly ts?: number;
}

/**
 * Elements cut into their words. Marks without a space between belong to the word before them, or at the start of a
 * token, as an opening quote, to the one after; marks that stand alone at the end to the last word.
 */
export function wordPieces(elements: readonly TranscriptElement[]): readonly WordPiece[] {
  const pieces: WordPiece[] = [];
  let open: TranscriptElement[] | undefined;
  let spaces: TranscriptElement[] = [];
  let marks: TranscriptElement[] = [];
  for (const element of elements) {
    if (element.type !== 'punct') {
      open = [...marks, element];
      pieces.push({ before: spaces, elements: open, ...(element.type === 'text' && { ts: element.ts }) });
      [spaces, marks] = [[], []];
    } else if (marks.length === 0 && isSpace(element)) {
      open = undefined;
      spaces.push(element);
    } else {
      (open ?? marks).push(element);
      if (open && /\s$/u.test(element.value)) open = undefined;
    }
  }
  const last = pieces.pop();
  if (!last) return [];
  return [...pieces, { ...last, elements: withoutLastSpace([...last.elements, ...spaces, ...marks]) }];
}

function withoutLastSpace(elements: readonly TranscriptElement[]): readonly TranscriptElement[] {
  return elements.slice(0, elements.findLastIndex(element => !isSpace(element)) + 1);
}

/** The elements of pieces, without the space before the first. */
export function joinPieces(pieces: readonly WordPiece[]): readonly TranscriptElement[] {
  return pieces.flatMap(({ before, elements }, index) => (index === 0 ? elements : [...before, ...elements]));
}

export const isSpace = ({ type, value }: TranscriptElement) => type === 'punct' && value.trim() === '';
