import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Terminal columns that a text takes: full-width characters two, combining ones none. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** A text cut into pieces of at most so many columns, never inside a character; one wider than that stands alone. */
export function cutToWidth(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes.segment(text)) {
    if (piece !== '' && textWidth(piece + segment) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

/** A text of words parted by single spaces, wrapped into lines of at most so many columns; a wider word is cut. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap(word => cutToWidth(word, columns))) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
