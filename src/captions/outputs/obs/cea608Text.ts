import { sccCharacter, sccText } from '../../../transcript/formats/scc/sccCharacters.ts';

/**
 * Returns a text in the characters of CEA-608 for OBS, whose encoder has the apostrophe of the basic set as U+2019, and sends the
 * straight one as an extended character, which not every decoder has.
 */
export function cea608Text(text: string): string {
  return sccText(text).replaceAll("'", '\u2019');
}

/** Returns the bytes of a row on the 608 channel: two for a character of the further sets, and an even number in all. */
export function cea608Bytes(row: string): number {
  const isBasic = (char: string) => char === '\u2019' || sccCharacter(char)?.type === 'basic';
  const bytes = [...row].reduce((sum, char) => sum + (isBasic(char) ? 1 : 2), 0);
  return bytes + (bytes % 2);
}
