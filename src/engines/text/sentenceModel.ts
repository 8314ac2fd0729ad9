import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { RxscribeError } from '../../base/errors.ts';
import { FEATURES, lastMarkFeatures, markFeatures, questionFeatures } from './markFeatures.ts';

/** How likely a comma or the end of the sentence stands behind a word; with neither, they sum to 1. */
export interface MarkChances {
  readonly none: number;
  readonly comma: number;
  readonly end: number;
}

/** What English text tells of where marks stand and which words have capitals. */
export interface SentenceModel {
  /** Behind a word, by the words before it and up to three behind it. */
  behind(words: readonly string[], at: number): MarkChances;
  /** Behind the last word, by those before it alone. */
  atEnd(words: readonly string[]): MarkChances;
  /** How likely a sentence asks. */
  asks(sentence: readonly string[]): number;
  /** A word as it is written within a sentence, after a word and before another. */
  cased(word: string, before?: string, next?: string): string;
}

/** The first line of a model: what is in it, and what stands behind it. */
export interface SentenceModelHeader {
  readonly format: 'sentence-model';
  readonly version: typeof SENTENCE_MODEL_VERSION;
  /** Of weights: they are kept in steps, from -7 to 7. */
  readonly step: number;
  /** Of comma and end: with the next words, and without. */
  readonly biases: {
    readonly behind: readonly [number, number];
    readonly atEnd: readonly [number, number];
    readonly asks: number;
  };
  /** Features that are kept: as many distances, of one byte or more each, then as many bytes of two weights. */
  readonly features: number;
  /** Bytes of the distances. */
  readonly distanceBytes: number;
}

export const SENTENCE_MODEL_VERSION = 1;
/** Of the two weights of a byte each is this much too high. */
export const WEIGHT_OFFSET = 8;

let loading: Promise<SentenceModel> | undefined;

/** The model that comes with the package; read when first asked for, some 5 MB in memory. */
export function loadSentenceModel(): Promise<SentenceModel> {
  loading ??= readEmbedded();
  return loading;
}

async function readEmbedded(): Promise<SentenceModel> {
  const { SENTENCE_MODEL_DATA } = await import('./sentenceModelData.ts');
  return readSentenceModel(await promisify(brotliDecompress)(Buffer.from(SENTENCE_MODEL_DATA, 'base64')));
}

/**
 * Reads a model: a header in one line of JSON, distances from feature to feature, weights, and a line for each word or
 * pair of words with capitals.
 *
 * @throws RxscribeError `engine-failed` when the bytes are another format or version
 */
export function readSentenceModel(bytes: Uint8Array): SentenceModel {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = headerOf(buffer);
  const start = buffer.indexOf('\n') + 1;
  const weightsAt = start + header.distanceBytes;
  const capitalsAt = weightsAt + header.features;
  const weights = weightsOf(buffer.subarray(start, weightsAt), buffer.subarray(weightsAt, capitalsAt));
  const capitals = buffer.toString('utf8', capitalsAt).split('\n');
  const writtenAs = new Map(capitals.map(written => [written.toLowerCase(), written]));
  const sums = (features: readonly number[], [first, second]: readonly [number, number]) => {
    let [comma, end] = [0, 0];
    for (const feature of features) {
      const both = weights[feature]!;
      if (both === 0) continue;
      comma += (both >> 4) - WEIGHT_OFFSET;
      end += (both & 15) - WEIGHT_OFFSET;
    }
    return [first + comma * header.step, second + end * header.step] as const;
  };
  const { biases } = header;
  return {
    behind: (words, at) => chancesOf(sums(markFeatures(words, at), biases.behind)),
    atEnd: words => chancesOf(sums(lastMarkFeatures(words, words.length - 1), biases.atEnd)),
    asks: sentence => 1 / (1 + Math.exp(-sums(questionFeatures(sentence), [biases.asks, 0])[0])),
    cased(word, before, next) {
      const [, second] = writtenAs.get(`${before} ${word}`)?.split(' ') ?? [];
      const [first] = writtenAs.get(`${word} ${next}`)?.split(' ') ?? [];
      return second ?? first ?? writtenAs.get(word) ?? word;
    },
  };
}

function headerOf(buffer: Buffer): SentenceModelHeader {
  const end = buffer.indexOf('\n');
  const header: Partial<SentenceModelHeader> | undefined =
    buffer[0] === 0x7b && end > 0 ? JSON.parse(buffer.toString('utf8', 0, end)) : undefined;
  if (header?.format === 'sentence-model' && header.version === SENTENCE_MODEL_VERSION) {
    return header as SentenceModelHeader;
  }
  const found = header ? `${header.format} ${header.version}` : 'something else';
  throw new RxscribeError(
    'engine-failed',
    `Reading a sentence model: wanted sentence-model ${SENTENCE_MODEL_VERSION}, found ${found}`,
  );
}

/** A byte a feature, 0 for those that are not kept. Distances have seven bits a byte, the lowest first. */
function weightsOf(distances: Uint8Array, kept: Uint8Array): Uint8Array {
  const weights = new Uint8Array(FEATURES);
  let [feature, next, distance, shift] = [0, 0, 0, 0];
  for (const byte of distances) {
    distance |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    feature += distance;
    weights[feature] = kept[next++]!;
    [distance, shift] = [0, 0];
  }
  return weights;
}

function chancesOf([comma, end]: readonly [number, number]): MarkChances {
  const highest = Math.max(0, comma, end);
  const odds = [0, comma, end].map(logit => Math.exp(logit - highest));
  const sum = odds[0]! + odds[1]! + odds[2]!;
  return { none: odds[0]! / sum, comma: odds[1]! / sum, end: odds[2]! / sum };
}
