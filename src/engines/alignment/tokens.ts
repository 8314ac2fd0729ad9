import { spokenForms } from './spokenForms.ts';
import type { SayableWord, WordSounds } from './wordSounds.ts';

/** A word as it is said: of a text, or heard. */
export interface Token {
  /** Which word of the text, or which that was heard, it is or is part of. */
  readonly word: number;
  /** In lower case. */
  readonly value: string;
  /** Its likeliest pronunciation: phones with spaces between. */
  readonly sound: string;
}

/** A word that a recogniser heard, in frames since the start of the recording. */
export interface HeardWord {
  readonly value: string;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Returns the parts of heard words that are said one by one; those of one word share its time by their letters. */
export function heardParts(words: readonly HeardWord[]): readonly HeardWord[] {
  return words.flatMap(({ value, startFrame, endFrame }) => {
    const values = spokenForms(value)[0]?.map(part => part.value) ?? [value];
    const letters = values.reduce((sum, part) => sum + part.length, 0);
    let before = 0;
    const frameAt = () => startFrame + Math.round(((endFrame - startFrame) * before) / letters);
    return values.map(part => {
      const from = frameAt();
      before += part.length;
      return { value: part, startFrame: from, endFrame: frameAt() };
    });
  });
}

/** Returns a token for each heard word. */
export function heardTokens(words: readonly HeardWord[], soundsOf: WordSounds): readonly Token[] {
  return words.map(({ value }, word) => ({ word, value, sound: soundsOf(value)[0] ?? value }));
}

/**
 * Returns the tokens of a text. Of several ways to say a number it takes the one that was heard somewhere.
 *
 * @param words those that can be said; a token has the index in this list
 * @param text as it is written, by number
 */
export function textTokens(
  words: readonly SayableWord[],
  text: readonly string[],
  heard: readonly Token[],
  soundsOf: WordSounds,
): readonly Token[] {
  const said = ` ${heard.map(({ value }) => value).join(' ')} `;
  return words.flatMap(({ number, pronunciations }, word): Token[] => {
    const written = text[number]!.replace(/^[^\p{L}\p{N}$€£&%]+|[^\p{L}\p{N}%&+]+$/gu, '');
    const forms = spokenForms(written).map(form => form.map(({ value }) => value));
    const isHeard = (values: readonly string[]) => said.includes(` ${values.join(' ')} `);
    const form = (forms.length > 1 && forms.find(isHeard)) || (forms[0] ?? []);
    if (form.length > 1) return form.map(value => ({ word, value, sound: soundsOf(value)[0] ?? value }));
    return [{ word, value: form[0] ?? written.toLowerCase(), sound: pronunciations[0]! }];
  });
}
