import { spokenForms } from './spokenForms.ts';
import type { SayableWord, WordSounds } from './wordSounds.ts';

/** A spoken word of the text or of the recognised speech. */
export interface Token {
  /** Index of the written or recognised word that it is part of. */
  readonly word: number;
  /** In lower case. */
  readonly value: string;
  /** Likeliest pronunciation: phones separated by spaces. */
  readonly sound: string;
}

/** A recognised word, in frames since the start of the recording. */
export interface RecognizedPart {
  readonly value: string;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Splits recognised words into single spoken words, which share the time of their word by length. */
export function recognizedParts(words: readonly RecognizedPart[]): readonly RecognizedPart[] {
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

/** Returns a token for each recognised word. */
export function recognizedTokens(words: readonly RecognizedPart[], soundsOf: WordSounds): readonly Token[] {
  return words.map(({ value }, word) => ({ word, value, sound: soundsOf(value)[0] ?? value }));
}

/**
 * Returns the tokens of a text. Of several ways to say a number it takes one that was recognised somewhere.
 *
 * @param words words with a pronunciation; `Token.word` is an index of this list
 * @param text all written words
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
