import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the terminal columns of a text: two for full-width characters, none for combining ones. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/**
 * Cuts a text into pieces of at most `columns` columns, never within a character; a wider character is a piece of its own.
 */
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

/** Wraps words separated by single spaces into lines of at most `columns` columns; wider words are cut. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap(word => cutToWidth(word, columns))) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
