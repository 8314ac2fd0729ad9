import type { DecoderStep, MoonshineDecoding } from '../../../src/engines/moonshine/model.ts';
import { END_TOKEN, VOCABULARY_SIZE } from '../../../src/engines/moonshine/tokens.ts';

export interface ScriptedDecoding extends MoonshineDecoding {
  /** The tokens of each step. */
  readonly steps: readonly (readonly number[])[];
}

/** Above all others, whose logits are 0: a probability of some 0.99. */
const LOGIT = 15;
const HEADS = 2;

/** A decoding that finds these tokens likely, each in its place, and then the end. */
export function scriptedDecoding({
  says,
  positions = 100,
}: {
  readonly says: readonly number[];
  readonly positions?: number;
}): ScriptedDecoding {
  const steps: (readonly number[])[] = [];
  let said = 0;
  async function step(tokens: readonly number[]): Promise<DecoderStep> {
    steps.push(tokens);
    const rows = tokens.length;
    const logits = new Float32Array(rows * VOCABULARY_SIZE);
    const attention = Array.from({ length: HEADS }, () => new Float32Array(rows * positions));
    for (let row = 0; row < rows; row++, said++) {
      logits[row * VOCABULARY_SIZE + (says[said] ?? END_TOKEN)] = LOGIT;
      for (const head of attention) head[row * positions + (said % positions)] = 1;
    }
    return { logits, attention };
  }
  return { positions, steps, step, close: () => {} };
}
