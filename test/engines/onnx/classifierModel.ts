import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { onnxGraph, onnxModel } from '../../helpers/onnxModel.ts';

/** Each word, with its logits of negative, neutral and positive. */
const WORDS: Readonly<Record<string, readonly number[]>> = {
  '[UNK]': [0, 2, 0],
  '[CLS]': [0, 1, 0],
  '[SEP]': [0, 1, 0],
  lovely: [-9, 0, 30],
  awful: [30, 0, -9],
};

export interface ClassifierOptions {
  /** Default: NEGATIVE, NEUTRAL, POSITIVE. */
  readonly labels?: readonly string[];
  /** Most tokens of a text. Default 64. */
  readonly positions?: number;
  /** Default: a directory that is removed when the test is over. */
  readonly path?: string;
  /** Text of README.md. */
  readonly card?: string;
}

/** A model directory whose logits are the mean of what its words are worth. */
export async function classifierModel(options: ClassifierOptions = {}): Promise<ModelDirectory> {
  const { labels = ['NEGATIVE', 'NEUTRAL', 'POSITIVE'], positions = 64, card } = options;
  const path = options.path ?? (await temporaryDirectory());
  await mkdir(join(path, 'onnx'));
  const config = {
    architectures: ['DistilBertForSequenceClassification'],
    model_type: 'distilbert',
    max_position_embeddings: positions,
    id2label: Object.fromEntries(labels.entries()),
  };
  await writeFile(join(path, 'config.json'), JSON.stringify(config));
  await writeFile(join(path, 'tokenizer.json'), JSON.stringify(tokenizer()));
  await writeFile(join(path, 'onnx', 'model.onnx'), bagOfWords());
  if (card !== undefined) await writeFile(join(path, 'README.md'), card);
  return inspectModel(path);
}

function bagOfWords(): Buffer {
  const values = Object.values(WORDS);
  return onnxModel({
    ...onnxGraph(`
      (int64[batch, length] input_ids, int64[batch, length] attention_mask) => (float[batch, 3] logits)
      words = Gather(embedding, input_ids)
      logits = ReduceMean<axes = [1], keepdims = 0>(words)
    `),
    weights: [{ name: 'embedding', type: 'float', shape: [values.length, 3], values: values.flat() }],
  });
}

function tokenizer(): unknown {
  const vocab = Object.fromEntries(Object.keys(WORDS).map((word, id) => [word, id]));
  const special = (content: string) => ({
    id: vocab[content],
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const at = (name: string) => ({ SpecialToken: { id: name, type_id: 0 } });
  return {
    version: '1.0',
    added_tokens: ['[UNK]', '[CLS]', '[SEP]'].map(special),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [at('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, at('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map(id => [id, { id, ids: [vocab[id]], tokens: [id] }]),
      ),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}
