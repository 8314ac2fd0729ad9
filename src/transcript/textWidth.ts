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
