import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { startChildProcess } from '../process/childProcess.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import type { SentimentAnalyzer } from '../sentimentAnalyzer.ts';
import type { ClassifierMethods } from './classifierChild.ts';
import { readJsonFile } from './readJsonFile.ts';
import type { ClassifierSetup } from './textClassifier.ts';

export interface TransformersOptions {
  /** Of kind `text-classification`. */
  readonly model: ModelDirectory;
  /** ISO 639-1 codes. Default: what README.md of the model names; else English. */
  readonly languages?: readonly string[];
}

/** When the model says nothing: what all of the family take. */
const DEFAULT_MAX_TOKENS = 512;
/** Positions before the first token in models of the RoBERTa family. */
const ROBERTA_OFFSET = 2;
/** Sentences of one request: in between, whoever waits may leave. */
const MAX_SENTENCES = 32;

/**
 * A text classifier of Hugging Face, exported to ONNX, in a process of its own with onnxruntime-web.
 *
 * The score is what the labels are worth, weighted by their probabilities: P(positive) - P(negative), or the mean of
 * stars. Of a sentence with more tokens than the model takes, the first ones are read.
 *
 * @throws RxscribeError `engine-missing` when the directory is of another kind, or has labels of no sentiment
 * @example
 * const model = await inspectModel('models/distilbert-base-uncased-finetuned-sst-2-english')
 * await using analyzer = await createTransformersAnalyzer({ model })
 * await analyzer.analyze(['The room was lovely.'])
 */
export async function createTransformersAnalyzer(options: TransformersOptions): Promise<SentimentAnalyzer> {
  const { model } = options;
  const { files } = model;
  if (model.kind !== 'text-classification' || !files.model || !files.tokenizer) {
    const message = `load sentiment model ${model.path}: wanted a text classifier, found ${model.kind}`;
    throw new RxscribeError('engine-missing', message);
  }
  const config = await readJsonFile(files.config, 'config.json');
  const values = valuesOfLabels((config.id2label ?? {}) as Record<string, unknown>);
  const setup: ClassifierSetup = {
    model: files.model,
    tokenizer: files.tokenizer,
    tokenizerConfig: files.tokenizerConfig,
    maxTokens: maxTokensOf(config),
    labelCount: values.length,
  };
  const entry = entryBeside(import.meta, 'classifierChild');
  const classifier = createRestartingWork(() =>
    startWork<ClassifierMethods>(startChildProcess(entry), { task: 'classify text', setup }),
  );
  const named = options.languages ?? (await languagesOfCard(model.path));
  const close = () => classifier.close();
  return {
    name: 'transformers',
    languages: named.length > 0 ? named : ['en'],
    async analyze(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      const scores: number[] = [];
      for (let at = 0; at < sentences.length; at += MAX_SENTENCES) {
        const found = await classifier.call('classify', [sentences.slice(at, at + MAX_SENTENCES)], {
          signal,
        });
        for (const probabilities of found) scores.push(scoreOf(probabilities, values));
      }
      return scores;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function scoreOf(probabilities: readonly number[], values: readonly number[]): number {
  const score = probabilities.reduce((sum, probability, label) => sum + probability * values[label]!, 0);
  return Math.max(-1, Math.min(1, score));
}

function maxTokensOf({
  max_position_embeddings: positions,
  model_type: type,
}: Readonly<Record<string, unknown>>) {
  if (typeof positions !== 'number' || positions < 8) return DEFAULT_MAX_TOKENS;
  const offset = /roberta|camembert/.test(String(type)) ? ROBERTA_OFFSET : 0;
  return Math.min(DEFAULT_MAX_TOKENS, positions - offset);
}

/** The languages that a model's README.md names in its front matter, as ISO 639-1 codes; none when it names none. */
async function languagesOfCard(directory: string): Promise<readonly string[]> {
  const card = await readFile(join(directory, 'README.md'), 'utf8').catch(() => '');
  const [, frontMatter = ''] = /^---\r?\n([\s\S]*?)\n---/.exec(card) ?? [];
  // "language: en", "language: [en, de]" or a list of "- en" on lines of their own.
  const [, named = ''] = /^language:([^\n]*(?:\n[ \t]*-[^\n]*)*)/m.exec(frontMatter) ?? [];
  return [...new Set(named.match(/\b[a-z]{2}\b/g))];
}

/** What labels of sentiment classifiers are worth, in lower case. */
const VALUES: Readonly<Record<string, number>> = {
  positive: 1,
  pos: 1,
  neutral: 0,
  neu: 0,
  negative: -1,
  neg: -1,
};
const STARS = /^([1-5]) stars?$/;

/**
 * What each label of a classifier is worth, from -1 to 1, in the order of its outputs: the score of a sentence is the
 * sum of these, each weighted by its probability. "positive" is worth 1, "neutral" 0, "negative" -1; "1 star" to
 * "5 stars" go from -1 to 1 in equal steps.
 *
 * @param labels `id2label` of config.json
 * @throws RxscribeError `engine-missing` when a label is none of these
 */
function valuesOfLabels(labels: Readonly<Record<string, unknown>>): readonly number[] {
  const names = Object.keys(labels).map((_, index) => String(labels[index]));
  const values = names.map(worthOf);
  if (values.some(value => value > 0) && values.some(value => value < 0)) return values;
  throw unusable(names);

  function worthOf(name: string): number {
    const label = name.toLowerCase();
    const stars = STARS.exec(label)?.[1];
    const value = stars === undefined ? VALUES[label] : (Number(stars) - 3) / 2;
    if (value === undefined) throw unusable(names);
    return value;
  }
}

function unusable(names: readonly string[]): RxscribeError {
  const wanted = 'positive, negative and neutral, or 1 star to 5 stars';
  return new RxscribeError(
    'engine-missing',
    `load sentiment model: wanted the labels ${wanted}, found ${names.join(', ')}. Name them in id2label of config.json`,
  );
}
