import { extname } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import type { SentimentAnalyzer } from '../sentimentAnalyzer.ts';
import { createInferenceProcess } from './inferenceProcess.ts';
import { languagesOfCard } from './modelCard.ts';
import { readJsonFile } from './readJsonFile.ts';
import { valuesOfLabels } from './sentimentLabels.ts';
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
  const entry = new URL(`./classifierChild${extname(import.meta.filename)}`, import.meta.url);
  const classifier = createInferenceProcess<
    ClassifierSetup,
    readonly string[],
    readonly (readonly number[])[]
  >(entry, {
    model: files.model,
    tokenizer: files.tokenizer,
    tokenizerConfig: files.tokenizerConfig,
    maxTokens: maxTokensOf(config),
    labelCount: values.length,
  });
  const named = options.languages ?? (await languagesOfCard(model.path));
  const close = () => classifier.close();
  return {
    name: 'transformers',
    languages: named.length > 0 ? named : ['en'],
    async analyze(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      const scores: number[] = [];
      for (let at = 0; at < sentences.length; at += MAX_SENTENCES) {
        const found = await classifier.run(sentences.slice(at, at + MAX_SENTENCES), signal);
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
