import { withCapital } from '../../transcript/text/words.ts';
import type { SpelledWord } from '../phrases/spellings.ts';
import type { WrittenWord } from '../punctuator.ts';

/** A word for display, or several that are written as one, with the mark after it. */
export interface WrittenUnit extends SpelledWord {
  readonly written: string;
  readonly mark: WrittenWord['mark'];
}

export function endsSentence(mark: WrittenWord['mark']): boolean {
  return mark !== '' && mark !== ',';
}

/** Returns words with their spellings. A spelling of several words gets the mark of the last. */
export function unitsOf(
  spelled: readonly SpelledWord[],
  written: readonly WrittenWord[],
  opensSentence: boolean,
): readonly WrittenUnit[] {
  const units: WrittenUnit[] = [];
  let next = 0;
  for (const word of spelled) {
    const first = written[next]!;
    next += word.spelling === undefined ? 1 : word.value.split(' ').length;
    const { mark } = written[next - 1]!;
    const last = units.at(-1);
    const opens = last ? endsSentence(last.mark) : opensSentence;
    units.push({ ...word, mark, written: word.spelling ? cased(word.spelling, opens) : first.value });
  }
  return units;
}

/** Returns a spelling at its position. One with capitals stays: "iPhone" also opens a sentence. */
function cased(spelling: string, opensSentence: boolean): string {
  return !opensSentence || /\p{Lu}/u.test(spelling) ? spelling : withCapital(spelling);
}
