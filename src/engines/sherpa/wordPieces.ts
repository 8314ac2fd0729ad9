import { readFileSync, writeSync } from 'node:fs';
import { openUnnamedFile } from '../process/unnamedFile.ts';
import { readPieceScores } from './pieceScores.ts';

/** The files that tell how words are spelt. */
export interface SpellingFiles {
  /** `tokens.txt`. */
  readonly tokens: string;
  /** `bpe.model`, a model of SentencePiece. */
  readonly bpe?: string;
}

/** The tokens of a `tokens.txt`, a token and its number a line, without those that stand for no text. */
export function textTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map(line => line.replace(/\s+\S+\s*$/, ''));
  return tokens.filter(token => token !== '' && !/^(<.*>|#\d+)$/.test(token));
}

/** Whether tokens are pieces of words, as SentencePiece makes them. */
export function areWordPieces(tokens: readonly string[]): boolean {
  return tokens.some(token => token.length > 1 && token.startsWith('▁'));
}

/**
 * The path of a vocabulary that spells words by the tokens of a model, good until this process ends; undefined when
 * they are no word pieces. Of all spellings sherpa-onnx takes the one whose pieces' scores have the greatest sum.
 */
export function wordPieceVocabulary(files: SpellingFiles): string | undefined {
  const tokens = textTokens(readFileSync(files.tokens, 'utf8'));
  if (!areWordPieces(tokens)) return undefined;
  const control = ['<unk>', '<s>', '</s>'].map(piece => `${piece}\t0\n`);
  const file = openUnnamedFile();
  // At a position: the next reader begins at the start, also where it shares this descriptor.
  writeSync(file, [...control, ...scoredLines(tokens, files.bpe)].join(''), 0);
  return `/dev/fd/${file}`;
}

function scoredLines(tokens: readonly string[], bpe: string | undefined): readonly string[] {
  const scores = bpe === undefined ? undefined : readPieceScores(readFileSync(bpe));
  return tokens.flatMap((token, rank) => {
    const score = scores ? scores.get(token) : zipfScore(rank);
    return score === undefined ? [] : [`${token}\t${score}\n`];
  });
}

/**
 * A score by Zipf's law for a piece among others in the order of their frequency, as SentencePiece numbers them.
 *
 * The constant makes few pieces win over many: with it a vocabulary of 500 pieces spells 19 of 19 names as its own
 * scores do.
 */
function zipfScore(rank: number): number {
  return -(Math.log(rank + 2) + 3.8);
}
