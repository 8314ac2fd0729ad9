import { reasonOf } from './errors.ts';

/**
 * Returns a text on one line, with control characters replaced by spaces: safe to print in a terminal. So are embeddings,
 * overrides and isolates, which reorder what follows. Marks and joiners stay: Arabic, Hebrew, Persian and emoji need them.
 */
export function oneLine(text: string): string {
  return text.replace(/(?:(?![\u061c\u200c-\u200f])[\p{C}\p{Zl}\p{Zp}])+/gu, ' ');
}

/** Returns lines as {@link oneLine} returns each; tabs stay. */
export function printable(lines: string): string {
  return lines.replace(/[^\n\t]+/g, oneLine);
}

/** Returns a word for a POSIX shell, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Rounds a number of JSON to 4 decimals: more of them are noise of the arithmetic. */
const roundedValue = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 10_000) / 10_000 : value;

/**
 * Returns JSON with control characters escaped: it may be shown in a terminal, and means the same to a program. Numbers have
 * at most 4 decimals.
 *
 * @param indent spaces of a level; without it, the JSON is one line
 */
export function printableJson(value: unknown, indent?: number): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // A line feed outside of strings is part of the layout; JSON has none inside.
  return JSON.stringify(value, roundedValue, indent).replace(/(?!\n)\p{C}/gu, character =>
    character.split('').map(escaped).join(''),
  );
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

/** Returns the reason of a failed system call without its code and path, for use within another message. */
export function fileReason(cause: unknown): string {
  const reason = reasonOf(cause);
  const [, code, text] = /^(E[A-Z0-9]+): (.+?)(?:, \w+(?: '.*')?)?$/.exec(reason) ?? [];
  return code === 'ENOSPC'
    ? 'no space left on the device. Free some space, then run the command again'
    : (text ?? reason);
}
