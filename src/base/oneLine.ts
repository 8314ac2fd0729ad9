/** A text on one line, without what a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}
