import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { RxscribeError } from '../../base/errors.ts';
import { FEATURES, lastMarkFeatures, markFeatures, questionFeatures } from './markFeatures.ts';

/** Probabilities of a comma and a sentence end after a word; with `none` they sum to 1. */
export interface MarkChances {
  readonly none: number;
  readonly comma: number;
  readonly end: number;
}

/** A model of marks and capitals in English text. */
export interface SentenceModel {
  /** Returns the probabilities after a word, given the words before and up to three after it. */
  behind(words: readonly string[], at: number): MarkChances;
  /** Returns the probabilities after the last word, given only the words so far. */
  atEnd(words: readonly string[]): MarkChances;
  /** Returns the probability of a question. */
  asks(sentence: readonly string[]): number;
  /** Returns a word in its case within a sentence, between two others. */
  cased(word: string, before?: string, next?: string): string;
}

/** First line of a model: its contents and the layout of the bytes after it. */
export interface SentenceModelHeader {
  readonly format: 'sentence-model';
  readonly version: typeof SENTENCE_MODEL_VERSION;
  /** Step of the weights, which are stored as -7 to 7. */
  readonly step: number;
  /** Biases of comma and end, with and without the next words. */
  readonly biases: {
    readonly behind: readonly [number, number];
    readonly atEnd: readonly [number, number];
    readonly asks: number;
  };
  /**
   * Number of stored features: as many distances, of at least one byte each, then as many bytes with two
   * weights.
   */
  readonly features: number;
  /** Bytes of the distances. */
  readonly distanceBytes: number;
}

export const SENTENCE_MODEL_VERSION = 1;
/** Offset of each of the two weights in a byte. */
export const WEIGHT_OFFSET = 8;

let loading: Promise<SentenceModel> | undefined;

/** Loads the model of the package on first use, some 5 MB in memory. */
export function loadSentenceModel(): Promise<SentenceModel> {
  loading ??= readEmbedded();
  return loading;
}

async function readEmbedded(): Promise<SentenceModel> {
  const { SENTENCE_MODEL_DATA } = await import('./sentenceModelData.ts');
  return readSentenceModel(await promisify(brotliDecompress)(Buffer.from(SENTENCE_MODEL_DATA, 'base64')));
}

/**
 * Reads a model: a JSON header line, distances from feature to feature, weights, and a line for each word or
 * pair of words with capitals.
 *
 * @throws RxscribeError `engine-failed` for another format or version
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
  throw new RxscribeError(
    'engine-failed',
    `Cannot read the sentence model: its format is not 'sentence-model' in version ${SENTENCE_MODEL_VERSION}.`,
  );
}

/**
 * Returns a byte for each feature, 0 for those that are not stored. Distances are varints of seven bits a
 * byte, low bits first.
 */
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
  const oddsOf = (logit: number) => Math.exp(logit - highest);
  const odds = { none: oddsOf(0), comma: oddsOf(comma), end: oddsOf(end) };
  const sum = odds.none + odds.comma + odds.end;
  return { none: odds.none / sum, comma: odds.comma / sum, end: odds.end / sum };
}
