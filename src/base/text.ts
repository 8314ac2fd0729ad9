/** Returns a text on one line, with control characters replaced by spaces: safe to print in a terminal. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}

/**
 * Returns a count with its noun in singular or plural.
 *
 * @example
 * counted(2, 'word'); // '2 words'
 */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
