import { readFileSync, writeSync } from 'node:fs';
import protobuf from 'protobufjs';
import { openUnnamedFile } from '../../process/unnamedFile.ts';
import type { NativeConfig, SpellingFiles } from '../tasks.ts';

/** The part of sentencepiece_model.proto that matters here. */
const MODEL = `
  syntax = "proto2";
  message Model { repeated Piece pieces = 1; }
  message Piece { required string piece = 1; optional float score = 2; }
`;
const Model = protobuf.parse(MODEL).root.lookupType('Model');

/** Returns the tokens of a `tokens.txt` with text; each line is a token and its number. */
export function textTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map(line => line.replace(/\s+\S+\s*$/, ''));
  return tokens.filter(token => token !== '' && !/^(<.*>|#\d+)$/.test(token));
}

/** Returns whether tokens are word pieces of SentencePiece. */
export function areWordPieces(tokens: readonly string[]): boolean {
  return tokens.some(token => token.length > 1 && token.startsWith('▁'));
}

/**
 * Returns the path of a vocabulary that spells words by a model's tokens, valid until this process ends;
 * undefined when they are no word pieces. Of all spellings, sherpa-onnx takes the one with the greatest sum
 * of scores.
 */
function wordPieceVocabulary(files: SpellingFiles): string | undefined {
  const tokens = textTokens(readFileSync(files.tokens, 'utf8'));
  if (!areWordPieces(tokens)) return undefined;
  const control = ['<unk>', '<s>', '</s>'].map(piece => `${piece}\t0\n`);
  const file = openUnnamedFile();
  // At a position: the next reader begins at the start, even if it shares this descriptor.
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
 * Returns a score by Zipf's law for a piece of some rank, as SentencePiece numbers pieces by frequency.
 *
 * The constant favours few pieces: with it, a vocabulary of 500 pieces spells 19 of 19 names as with its own
 * scores.
 */
function zipfScore(rank: number): number {
  return -(Math.log(rank + 2) + 3.8);
}

/** Adds a vocabulary to a recogniser's configuration when phrases are to be spelt by tokens. */
export function spellingConfig(task: {
  readonly config: NativeConfig;
  readonly spellBy?: SpellingFiles;
}): NativeConfig {
  const { config, spellBy } = task;
  const bpeVocab = spellBy && wordPieceVocabulary(spellBy);
  if (!bpeVocab) return config;
  const modelConfig = { ...(config.modelConfig as NativeConfig), bpeVocab, modelingUnit: 'bpe' };
  return { ...config, modelConfig };
}

/** Returns the score of each piece in a SentencePiece model (`bpe.model`); undefined for other bytes. */
function readPieceScores(bytes: Uint8Array): ReadonlyMap<string, number> | undefined {
  try {
    const { pieces } = Model.toObject(Model.decode(bytes), { defaults: true });
    const scores = (pieces as { piece: string; score: number }[]).map(
      each => [each.piece, each.score] as const,
    );
    return scores.length > 0 ? new Map(scores) : undefined;
  } catch {
    return undefined;
  }
}
