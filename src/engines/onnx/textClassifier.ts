import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { loadRuntime, type OnnxRuntime, type OnnxSession, type OnnxTensor, softmax } from './runtime.ts';

/** Absolute paths of a classifier's files and its limits. */
export interface ClassifierSetup {
  readonly model: string;
  readonly tokenizer: string;
  readonly tokenizerConfig?: string;
  /** Token limit of a text, from config.json. */
  readonly maxTokens: number;
  readonly labelCount: number;
}

/** Limit of texts that are classified together: on one thread, more are not faster. */
const MAX_BATCH = 8;
/**
 * Characters of a text that are read for each token of the limit, in UTF-16 code units: words of most
 * languages are shorter.
 */
const MAX_TOKEN_LENGTH = 16;

/**
 * Loads a classifier. The function that it returns resolves with the label probabilities of each text; text
 * beyond the token limit is ignored.
 */
export async function loadTextClassifier(
  setup: ClassifierSetup,
): Promise<(texts: readonly string[]) => Promise<readonly (readonly number[])[]>> {
  const runtime = await loadRuntime();
  const encode = await loadEncoder(setup);
  const session = await runtime.open(setup.model);
  return async texts => {
    const probabilities: number[][] = [];
    // Texts of equal length need no padding, and score the same as alone.
    const byLength = new Map<number, { readonly index: number; readonly ids: readonly number[] }[]>();
    for (const [index, text] of texts.entries()) {
      const ids = encode(text);
      byLength.set(ids.length, [...(byLength.get(ids.length) ?? []), { index, ids }]);
    }
    for (const alike of byLength.values()) {
      for (let at = 0; at < alike.length; at += MAX_BATCH) {
        const batch = alike.slice(at, at + MAX_BATCH);
        const found = await classify(
          runtime,
          session,
          batch.map(({ ids }) => ids),
          setup.labelCount,
        );
        for (const [row, { index }] of batch.entries()) probabilities[index] = found[row]!;
      }
    }
    return probabilities;
  };
}

async function loadEncoder(setup: ClassifierSetup): Promise<(text: string) => readonly number[]> {
  const { tokenizer: path, tokenizerConfig, maxTokens } = setup;
  let tokenizer: Tokenizer;
  try {
    const config = tokenizerConfig ? JSON.parse(await readFile(tokenizerConfig, 'utf8')) : {};
    tokenizer = new Tokenizer(JSON.parse(await readFile(path, 'utf8')), config);
  } catch (cause) {
    throw new RxscribeError('engine-failed', `Cannot load the tokenizer '${path}': ${reasonOf(cause)}.`, {
      cause,
    });
  }
  const [opening, closing] = frameOf(tokenizer);
  const room = Math.max(1, maxTokens - opening.length - closing.length);
  return text => {
    const start = text.slice(0, MAX_TOKEN_LENGTH * maxTokens);
    const { ids } = tokenizer.encode(start, { add_special_tokens: false });
    return [...opening, ...ids.slice(0, room), ...closing];
  };
}

/** Returns the tokens that the model needs before and after a text, such as [CLS] and [SEP]. */
function frameOf(tokenizer: Tokenizer): readonly [readonly number[], readonly number[]] {
  const bare: readonly number[] = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const framed: readonly number[] = tokenizer.encode('a').ids;
  const at = framed.findIndex((_, index) => bare.every((id, offset) => framed[index + offset] === id));
  return at < 0 ? [[], []] : [framed.slice(0, at), framed.slice(at + bare.length)];
}

async function classify(
  runtime: OnnxRuntime,
  session: OnnxSession,
  batch: readonly (readonly number[])[],
  labelCount: number,
): Promise<readonly number[][]> {
  const shape = [batch.length, batch[0]!.length];
  const fill = (value: number) => new Array<number>(shape[0]! * shape[1]!).fill(value);
  const values: Readonly<Record<string, () => readonly number[]>> = {
    input_ids: () => batch.flat(),
    attention_mask: () => fill(1),
    token_type_ids: () => fill(0),
  };
  const feeds: Record<string, OnnxTensor> = {};
  for (const name of session.inputNames) {
    const make = values[name];
    if (!make)
      throw new RxscribeError(
        'engine-failed',
        `Cannot run the text classifier: its input '${name}' is not supported.`,
      );
    feeds[name] = runtime.whole(session, name, make(), shape);
  }
  const { logits } = await session.run(feeds);
  if (!(logits?.data instanceof Float32Array) || logits.data.length !== batch.length * labelCount) {
    const found = logits ? `${logits.type} of ${logits.dims.join(' x ')}` : session.outputNames.join(', ');
    throw new RxscribeError(
      'engine-failed',
      `Cannot run the text classifier: its logits are ${found}, not ${batch.length} x ${labelCount}.`,
    );
  }
  const { data } = logits;
  return batch.map((_, row) => softmax(data.subarray(row * labelCount, (row + 1) * labelCount)));
}
