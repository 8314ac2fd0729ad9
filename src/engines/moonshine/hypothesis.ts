import { FRAMES_PER_POSITION, type MoonshineDecoding } from './model.ts';
import { END_TOKEN, START_TOKEN, VOCABULARY_SIZE } from './tokens.ts';

/** The result of decoding an utterance. */
export interface Hypothesis {
  readonly tokens: readonly number[];
  /** Natural logarithm of the probability of each token, before phrases are favoured. */
  readonly logProbabilities: readonly number[];
  /** Reason of the end: an end token, a loop, or too many tokens for the audio. */
  readonly stop: 'end' | 'loop' | 'length';
  /** Probability of the end token; 0 after another end. */
  readonly endProbability: number;
  /** Attention of each head at each token, `positions` values each. */
  readonly attention: readonly (readonly Float32Array[])[];
  readonly positions: number;
}

export interface DecodeOptions {
  /** Tokens that the result begins with. */
  readonly prefix?: readonly number[];
  /** Returns bonuses of the logits of some tokens, given the tokens so far. */
  readonly favour?: (tokens: readonly number[]) => ReadonlyMap<number, number> | undefined;
}

/** Limit of English tokens a second, as published with the model; more are a loop. */
const TOKENS_PER_SECOND = 6.5;
const LEAST_TOKENS = 4;

/** Repetitions of a run of tokens that count as a loop; people do repeat single words. */
const REPEATS = [
  { upTo: 1, times: 8 },
  { upTo: 3, times: 5 },
  { upTo: 10, times: 4 },
] as const;

/**
 * Difference of logits above which a term of the sum is ignored: over 32,768 of them, this changes the
 * logarithm by less than 0.0001.
 */
const NEGLIGIBLE = 20;

/** Decodes greedily: takes the likeliest token at each step. */
export async function decodeGreedily(
  decoding: MoonshineDecoding,
  { prefix = [], favour }: DecodeOptions = {},
): Promise<Hypothesis> {
  const { positions } = decoding;
  const seconds = (positions * FRAMES_PER_POSITION) / 16_000;
  const most = Math.max(LEAST_TOKENS, prefix.length + 1, Math.ceil(seconds * TOKENS_PER_SECOND));
  const tokens: number[] = [...prefix];
  const logProbabilities: number[] = [];
  const attention: Float32Array[][] = [];
  const result = (stop: Hypothesis['stop'], endProbability = 0): Hypothesis => ({
    tokens,
    logProbabilities,
    stop,
    endProbability,
    attention: (attention[0] ?? []).map((_, head) => attention.map(rows => rows[head]!)),
    positions,
  });
  let given: readonly number[] = [START_TOKEN, ...prefix];
  for (;;) {
    const step = await decoding.step(given);
    const last = given.length - 1;
    for (let row = 0; row <= last; row++) {
      attention.push(step.attention.map(values => values.slice(row * positions, (row + 1) * positions)));
      const logits = step.logits.subarray(row * VOCABULARY_SIZE, (row + 1) * VOCABULARY_SIZE);
      if (row < last) logProbabilities.push(logProbability(logits, given[row + 1]!));
    }
    const logits = step.logits.subarray(last * VOCABULARY_SIZE, (last + 1) * VOCABULARY_SIZE);
    const token = likeliest(logits, favour?.(tokens));
    const probability = logProbability(logits, token);
    if (token === END_TOKEN) return result('end', Math.exp(probability));
    tokens.push(token);
    logProbabilities.push(probability);
    if (repeats(tokens)) return result('loop');
    if (tokens.length >= most) return result('length');
    given = [token];
  }
}

/** Returns whether the last tokens are a loop. */
export function repeats(tokens: readonly number[]): boolean {
  const longest = REPEATS.at(-1)!.upTo;
  for (let length = 1; length <= longest; length++) {
    const { times } = REPEATS.find(({ upTo }) => length <= upTo)!;
    const from = tokens.length - length * (times - 1);
    if (from < length) continue;
    let same = true;
    for (let at = from; at < tokens.length && same; at++) same = tokens[at] === tokens[at - length];
    if (same) return true;
  }
  return false;
}

function likeliest(logits: Float32Array, favoured: ReadonlyMap<number, number> | undefined): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < logits.length; token++) {
    const value = logits[token]!;
    if (value <= most) continue;
    most = value;
    best = token;
  }
  for (const [token, bonus] of favoured ?? []) {
    const value = logits[token]! + bonus;
    if (value <= most) continue;
    most = value;
    best = token;
  }
  return best;
}

function logProbability(logits: Float32Array, token: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of logits) if (value > most) most = value;
  let sum = 0;
  // Much smaller terms vanish in float precision.
  for (const value of logits) if (value > most - NEGLIGIBLE) sum += Math.exp(value - most);
  return logits[token]! - most - Math.log(sum);
}
