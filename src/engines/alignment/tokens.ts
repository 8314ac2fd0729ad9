import { dividedSpan } from '../timedWords.ts';
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
  return words.flatMap(word => {
    const values = spokenForms(word.value)[0]?.map(part => part.value) ?? [word.value];
    const spans = dividedSpan(
      word,
      values.map(({ length }) => length),
    );
    return spans.map((span, index) => ({ value: values[index] ?? '', ...span }));
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
