import { readFileSync, writeSync } from 'node:fs';
import { openUnnamedFile } from '../process/unnamedFile.ts';

/** The tokens of a `tokens.txt`, a token and its number a line, without those that stand for no text. */
export function textTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map(line => line.replace(/\s+\S+\s*$/, ''));
  return tokens.filter(token => token !== '' && !/^(<.*>|#\d+)$/.test(token));
}

/** Whether tokens are pieces of words, as byte-pair encoding makes them. */
export function areWordPieces(tokens: readonly string[]): boolean {
  return tokens.some(token => token.length > 1 && token.startsWith('▁'));
}

/**
 * The path of a vocabulary that spells words by the tokens in a file, good until this process ends; undefined when they
 * are no word pieces. SentencePiece numbers byte pairs in the order in which it merges them, which is their score.
 */
export function wordPieceVocabulary(tokensPath: string): string | undefined {
  const tokens = textTokens(readFileSync(tokensPath, 'utf8'));
  if (!areWordPieces(tokens)) return undefined;
  const control = ['<unk>', '<s>', '</s>'].map(piece => `${piece}\t0\n`);
  const file = openUnnamedFile();
  // At a position: the next reader begins at the start, also where it shares this descriptor.
  writeSync(file, [...control, ...tokens.map((token, index) => `${token}\t${-index}\n`)].join(''), 0);
  return `/dev/fd/${file}`;
}
