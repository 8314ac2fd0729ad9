/** A text on one line, without what a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}

/** `1 word`, `2 words`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
