import type { TranscriptElement } from '../model/model.ts';

/** A word or an unknown sound, with the punctuation that belongs to it. */
export interface WordPiece {
  /** White space elements between this piece and the one before. */
  readonly before: readonly TranscriptElement[];
  readonly elements: readonly TranscriptElement[];
  /** Start of the word in seconds, if known. */
  readonly ts?: number;
}

/**
 * Cuts elements into words. Punctuation belongs to the word directly before it; at the start of a token, such as an opening
 * quote, to the word after it; and alone at the end, to the last word.
 */
export function wordPieces(elements: readonly TranscriptElement[]): readonly WordPiece[] {
  const pieces: WordPiece[] = [];
  let open: TranscriptElement[] | undefined;
  let spaces: TranscriptElement[] = [];
  let marks: TranscriptElement[] = [];
  for (const element of elements) {
    if (element.type !== 'punct') {
      open = [...marks, element];
      pieces.push({ before: spaces, elements: open, ts: element.type === 'text' ? element.ts : undefined });
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

/** Returns the elements of pieces, without the space before the first. */
export function joinPieces(pieces: readonly WordPiece[]): readonly TranscriptElement[] {
  return pieces.flatMap(({ before, elements }, index) => (index === 0 ? elements : [...before, ...elements]));
}

export const isSpace = ({ type, value }: TranscriptElement) => type === 'punct' && value.trim() === '';
