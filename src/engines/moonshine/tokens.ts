import tokenizer from 'llama-tokenizer-js';

/** The vocabulary of Llama 2. Moonshine adds 768 tokens without text. */
const VOCABULARY: readonly string[] = tokenizer.vocabById;

/** Number of tokens of the decoder. */
export const VOCABULARY_SIZE = 32_768;
export const START_TOKEN = 1;
export const END_TOKEN = 2;

/** The tokens of one word, `to` exclusive. */
export interface TokenSpan {
  /** The word with marks and capitals. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Returns whether a token begins a word: its text begins with a space. */
export function beginsWord(token: number): boolean {
  return VOCABULARY[token]?.startsWith('▁') ?? false;
}

/** Returns the tokens of a text that follows other words. */
export function encodeText(text: string): readonly number[] {
  return tokenizer.encode(text, false, true);
}

/** Returns the words of tokens, each with its range. Incomplete characters are dropped. */
export function wordsIn(tokens: readonly number[]): readonly TokenSpan[] {
  const spans: { from: number; to: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (!isText(token)) continue;
    const last = spans.at(-1);
    if (last && !beginsWord(token)) last.to = index + 1;
    else spans.push({ from: index, to: index + 1 });
  }
  return spans
    .map(({ from, to }) => ({ from, to, text: textOf(tokens.slice(from, to)) }))
    .filter(({ text }) => text !== '');
}

function textOf(tokens: readonly number[]): string {
  const bytes = tokens.flatMap(token => {
    const piece = VOCABULARY[token] ?? '';
    const byte = BYTE.exec(piece);
    if (byte) return [Number.parseInt(byte[1]!, 16)];
    return isText(token) ? [...Buffer.from(piece.replaceAll('▁', ' '))] : [];
  });
  return Buffer.from(bytes).toString('utf8').replaceAll('\uFFFD', '').trim();
}

const BYTE = /^<0x([0-9A-F]{2})>$/;

/** Returns whether a token has text, unlike control tokens such as `</s>`. */
function isText(token: number): boolean {
  const piece = VOCABULARY[token] ?? '<>';
  return BYTE.test(piece) || !/^<.*>$/.test(piece);
}
