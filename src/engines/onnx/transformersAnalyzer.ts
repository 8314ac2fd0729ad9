import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { createRestartingWork } from '../process/restartingWork.ts';
import { entryBeside, startWork } from '../process/work.ts';
import type { SentimentAnalyzer } from '../sentimentAnalyzer.ts';
import type { ClassifierMethods } from './classifierChild.ts';
import type { ClassifierSetup } from './textClassifier.ts';
import { readJsonFile } from './whisperSetup.ts';

export interface TransformersOptions {
  /** Model of kind `text-classification`. */
  readonly model: ModelDirectory;
  /** ISO 639-1 codes. Default: the languages in the model's README.md, else English. */
  readonly languages?: readonly string[];
}

/** Token limit of models that state none: all of the family support it. */
const DEFAULT_MAX_TOKENS = 512;
/** Positions before the first token in models of the RoBERTa family. */
const ROBERTA_OFFSET = 2;
/** Sentences of one call: a signal takes effect between calls. */
const MAX_SENTENCES = 32;

/**
 * Creates an analyser with a text classifier of Hugging Face, exported to ONNX, in a child process with
 * onnxruntime-web.
 *
 * The score is the mean value of the labels weighted by their probabilities: P(positive) - P(negative), or
 * the mean of stars. Of a sentence above the token limit, the beginning is read.
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
    const message = `Cannot load the sentiment model '${model.path}': it is of kind '${model.kind}', not 'text-classification'.`;
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
    startWork<ClassifierMethods>(entry, { task: 'classify text', setup }),
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

/** Returns the languages in the front matter of a model's README.md as ISO 639-1 codes, empty without any. */
async function languagesOfCard(directory: string): Promise<readonly string[]> {
  const card = await readFile(join(directory, 'README.md'), 'utf8').catch(() => '');
  const [, frontMatter = ''] = /^---\r?\n([\s\S]*?)\n---/.exec(card) ?? [];
  // "language: en", "language: [en, de]", or a list of "- en" on separate lines.
  const [, named = ''] = /^language:([^\n]*(?:\n[ \t]*-[^\n]*)*)/m.exec(frontMatter) ?? [];
  return [...new Set(named.match(/\b[a-z]{2}\b/g))];
}

/** Values of sentiment labels, in lower case. */
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
 * Returns the value of each label of a classifier, from -1 to 1, in the order of its outputs. "positive" is
 * 1, "neutral" 0, "negative" -1; "1 star" to "5 stars" go from -1 to 1 in equal steps.
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
    `Cannot load the sentiment model: its labels are '${names.join(', ')}' (allowed: ${wanted}). Rename them in id2label of config.json.`,
  );
}
