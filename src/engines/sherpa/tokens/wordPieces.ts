import { readFileSync, writeSync } from 'node:fs';
import { type ProtobufField, parseField } from '../../models/protobufField.ts';
import { openUnnamedFile } from '../../process/unnamedFile.ts';
import type { NativeConfig, SpellingFiles } from '../tasks.ts';

/** Fields of `ModelProto` and `SentencePiece` in sentencepiece_model.proto. */
const PIECES = 1;
const PIECE = 1;
const SCORE = 2;

const FLOAT_BYTES = 4;

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
function wordPieceVocabulary(files: SpellingFiles): string | undefined {
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

/** A recogniser's configuration, with a vocabulary where phrases are to be spelt by tokens. */
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

/** The score of each piece in a model of SentencePiece (`bpe.model`); undefined when the bytes are none. */
function readPieceScores(bytes: Uint8Array): ReadonlyMap<string, number> | undefined {
  const scores = new Map<string, number>();
  const fields = fieldsOf(bytes);
  for (const { number, content } of fields ?? []) {
    if (number !== PIECES) continue;
    const parts = fieldsOf(content) ?? [];
    const piece = parts.find(part => part.number === PIECE)?.content;
    const score = parts.find(part => part.number === SCORE)?.content;
    if (!piece || (score && score.length !== FLOAT_BYTES)) return undefined;
    // A score of zero is the default and may be left out.
    scores.set(new TextDecoder().decode(piece), score ? floatOf(score) : 0);
  }
  return scores.size > 0 ? scores : undefined;
}

/** All fields of a message; undefined when it is none, or was cut off. */
function fieldsOf(bytes: Uint8Array): readonly { number: number; content: Uint8Array }[] | undefined {
  const fields: { number: number; content: Uint8Array }[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const field: ProtobufField | undefined = parseField(bytes, offset);
    if (!field || field.start + field.length > bytes.length) return undefined;
    offset = field.start + field.length;
    fields.push({ number: field.number, content: bytes.subarray(field.start, offset) });
  }
  return fields;
}

function floatOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, FLOAT_BYTES).getFloat32(0, true);
}
