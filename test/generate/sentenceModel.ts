/**
 * Learns from texts in the public domain where English sentences end, where commas stand and which words have capitals,
 * and writes `src/engines/text/sentenceModelData.ts` and the text that tests measure it by:
 *
 *     npx tsx test/generate/sentenceModel.ts
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { lastMarkFeatures, markFeatures, questionFeatures } from '../../src/engines/text/markFeatures.ts';
import {
  SENTENCE_MODEL_VERSION,
  type SentenceModelHeader,
  WEIGHT_OFFSET,
} from '../../src/engines/text/sentenceModel.ts';
import { type MarkedWord, markedWords } from '../helpers/markedWords.ts';
import { findCapitals } from './capitals.ts';
import { type Example, type Learnt, learn } from './markTraining.ts';
import { fetchPublicDomainTexts, isHeldOut, type PublicDomainText } from './publicDomainText.ts';

const TARGET = new URL('../../src/engines/text/sentenceModelData.ts', import.meta.url);
const HELD_OUT = new URL('../fixtures/text/held-out.txt', import.meta.url);
const HELD_OUT_PARAGRAPHS = 60;
const MARKS = { keepCount: 60_000, minCount: 8 };
const QUESTIONS = { keepCount: 8000, minCount: 3 };
const STEP = 0.25;

const texts = fetchPublicDomainTexts();
const learnt = texts.filter(text => !isHeldOut(text));
const known = learnt.map(wordsOf);
const marks = learn(
  known.flatMap(words => [...markExamples(words)]),
  MARKS,
);
const questions = learn(
  known.flatMap(words => [...questionExamples(words)]),
  QUESTIONS,
);
const model = written(marks, questions, findCapitals(byKind(learnt)));
const packed = brotliCompressSync(model, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
writeFileSync(
  TARGET,
  `/**
 * A sentence model, packed by Brotli; made by test/generate/sentenceModel.ts of texts in the public domain: addresses on
 * the state of the Union (works of the government of the United States), four novels of Jane Austen, and Moby Dick.
 */
export const SENTENCE_MODEL_DATA =
  '${packed.toString('base64')}';
`,
);
writeFileSync(HELD_OUT, `${texts.filter(isHeldOut).flatMap(excerptOf).join('\n\n')}\n`);
console.log(`${packed.length} bytes packed, ${model.length} bytes`);

function wordsOf({ paragraphs }: PublicDomainText): readonly MarkedWord[] {
  return paragraphs.flatMap(markedWords);
}

/** The words of each kind of text together. */
function byKind(texts: readonly PublicDomainText[]): readonly (readonly MarkedWord[])[] {
  return Object.values(Object.groupBy(texts, ({ kind }) => kind)).map(group => group.flatMap(wordsOf));
}

function* markExamples(words: readonly MarkedWord[]): Generator<Example> {
  const values = words.map(({ value }) => value);
  for (const [at, { mark }] of words.entries()) {
    const target = mark === '' ? 0 : mark === ',' ? 1 : 2;
    yield { features: markFeatures(values, at), head: 'behind', target };
    yield { features: lastMarkFeatures(values, at), head: 'atEnd', target };
  }
}

function* questionExamples(words: readonly MarkedWord[]): Generator<Example> {
  let sentence: string[] = [];
  for (const { value, mark } of words) {
    sentence.push(value);
    if (mark === '' || mark === ',') continue;
    yield { features: questionFeatures(sentence), head: 'asks', target: mark === '?' ? 1 : 0 };
    sentence = [];
  }
}

function written(marks: Learnt, questions: Learnt, capitals: readonly string[]): Buffer {
  const kept = [...new Set([...marks.kept, ...questions.kept])].sort((one, other) => one - other);
  const distances = kept.flatMap((feature, index) => sevenBits(feature - (kept[index - 1] ?? 0)));
  const { behind, atEnd } = marks.biases;
  const header: SentenceModelHeader = {
    format: 'sentence-model',
    version: SENTENCE_MODEL_VERSION,
    step: STEP,
    biases: { behind, atEnd, asks: questions.biases.asks[0] },
    features: kept.length,
    distanceBytes: distances.length,
  };
  const pairs = kept.map(feature => {
    const [first, second] = [0, 1].map(column =>
      stepsOf(marks.weights[column]![feature]! + questions.weights[column]![feature]!),
    );
    return (first! << 4) | second!;
  });
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    Buffer.from(distances),
    Buffer.from(pairs),
    Buffer.from(capitals.join('\n')),
  ]);
}

function stepsOf(weight: number): number {
  return Math.max(-7, Math.min(7, Math.round(weight / STEP))) + WEIGHT_OFFSET;
}

function sevenBits(number: number): readonly number[] {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...sevenBits(number >>> 7)];
}

/** Text of the novel and of the latest speech, for both styles. */
function excerptOf({ title, paragraphs }: PublicDomainText): readonly string[] {
  if (title !== 'PERSUASION' && !title.startsWith('2013')) return [];
  return paragraphs.filter(paragraph => /[.?!]["']?$/.test(paragraph)).slice(0, HELD_OUT_PARAGRAPHS);
}
