import { readFileSync } from 'node:fs';
import type { NativeConfig } from '../tasks.ts';
import { textTokens } from './wordPieces.ts';

/**
 * Ranges of the characters that stand for the bytes 0 to 255 in byte-pair models, by `byte_utils.py` of
 * icefall.
 */
const ALPHABET_RANGES = ['Āğ', ' ~', 'Ġı', 'Ĵľ', 'ŁňŊž', 'ƀƦ'].flatMap(ends => ends.match(/../gu)!);
const BYTES = new Map(ALPHABET_RANGES.flatMap(charactersOf).map((character, byte) => [character, byte]));

/** Characters that no language uses beside only others of the alphabet. */
const STRANGE = /[ƀ-Ʀ]/;

/** Returns whether tokens consist of bytes, as in newer models of Chinese (`▁ƌŋţ`). */
export function areBytes(tokens: readonly string[]): boolean {
  const text = tokens.join('').replaceAll('▁', '');
  return STRANGE.test(text) && [...text].every(character => BYTES.has(character));
}

/**
 * Decodes tokens of bytes to a text for each. A character that spans several tokens is in the first of them;
 * incomplete characters are dropped.
 */
export function textsOfBytes(tokens: readonly string[]): readonly string[] {
  const texts = tokens.map(() => '');
  let begun: { readonly at: number; readonly bytes: number[] } | undefined;
  const end = () => {
    if (begun) texts[begun.at] += Buffer.from(begun.bytes).toString('utf8').replaceAll('\uFFFD', '');
    begun = undefined;
  };
  tokens.forEach((token, at) => {
    for (const character of token) {
      const byte = BYTES.get(character);
      if (begun && byte !== undefined && continuesCharacter(byte)) {
        begun.bytes.push(byte);
        continue;
      }
      end();
      if (byte === undefined) texts[at] += character;
      else begun = { at, bytes: [byte] };
    }
  });
  end();
  return texts;
}

/** Returns whether a byte of UTF-8 is not the first of its character. */
export function continuesCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

function charactersOf(ends: string): readonly string[] {
  const [first, last] = [...ends].map(end => end.codePointAt(0)!) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

/** Returns a function that decodes the tokens of a recogniser with this configuration. */
export function createTokenReader(config: NativeConfig): (tokens: readonly string[]) => readonly string[] {
  const { tokens } = config.modelConfig as { readonly tokens: string };
  return areBytes(textTokens(readFileSync(tokens, 'utf8'))) ? textsOfBytes : texts => texts;
}
