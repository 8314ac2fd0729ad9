import { type DecoderStep, FRAMES_PER_POSITION, type MoonshineDecoding } from './model.ts';
import { END_TOKEN, START_TOKEN, VOCABULARY_SIZE } from './tokens.ts';

/** The result of decoding an utterance. */
export interface Hypothesis {
  readonly tokens: readonly number[];
  /** Number of known tokens before them. */
  readonly known: number;
  /** Natural logarithm of the probability of each token, before phrases are favoured. */
  readonly logProbabilities: readonly number[];
  /** Reason of the end: an end token, a loop, or too many tokens for the audio. */
  readonly stop: 'end' | 'loop' | 'length';
  /** Sum of the logarithms of the probabilities, also of the end token, with the bonuses of favoured tokens. */
  readonly score: number;
  /** Probability of the end token; 0 after another end. */
  readonly endProbability: number;
  /** Attention of each head at each token, also the known ones, `positions` values each. */
  readonly attention: readonly (readonly Float32Array[])[];
  readonly positions: number;
}

export interface DecodeOptions {
  /** Number of hypotheses that are followed at once. Default 1: the likeliest token at each step. */
  readonly beams?: number;
  /** Tokens that begin the text, as they are known. */
  readonly known?: readonly number[];
  /**
   * Tokens of the result for a beginning of the audio, with at most one beam. Those that are still likely are kept and
   * decoded in one step, up to the first that is not.
   */
  readonly guess?: readonly number[];
  /** Returns bonuses of the log probabilities of some tokens, given the tokens so far. */
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
 * Bonus of a token of the guess. Measured on 426 words as partials of 0.4 s: without it, a partial changes three times
 * as many words of the last one; with it, fewer than by keeping the words of two equal results.
 */
const GUESS_BONUS = 1.5;
const NONE_FAVOURED: ReadonlyMap<number, number> = new Map();

/** A hypothesis in progress. */
interface Beam {
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  /** Attention at each token given so far, and of each head there. */
  readonly attention: readonly (readonly Float32Array[])[];
  /** Sum of the logarithms of the probabilities, with phrases favoured. */
  readonly score: number;
  /** Log probabilities of the next token; valid until the next step. */
  readonly next: Float32Array;
}

/** A token that may follow a beam. */
interface Candidate {
  readonly beam: Beam;
  /** Index of the beam. */
  readonly parent: number;
  readonly token: number;
  readonly logProbability: number;
  /** Score of the beam with this token. */
  readonly score: number;
}

/** Decodes to at most as many hypotheses as there are beams, in no order; the sums of scores decide which are followed. */
export async function decodeHypotheses(
  decoding: MoonshineDecoding,
  options: DecodeOptions = {},
): Promise<readonly Hypothesis[]> {
  const { positions } = decoding;
  const { beams: width = 1, known = [], favour } = options;
  const seconds = (positions * FRAMES_PER_POSITION) / 16_000;
  const most = Math.max(LEAST_TOKENS, Math.ceil(seconds * TOKENS_PER_SECOND));
  const ended: Hypothesis[] = [];
  const room = Math.max(LEAST_TOKENS, most - known.length);
  let beams = [await firstBeam(decoding, room, options)];
  while (beams.length > 0) {
    const chosen = beams
      .flatMap((beam, parent) => candidatesOf({ beam, parent, favour, width }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, width - ended.length);
    const going: Candidate[] = [];
    for (const candidate of chosen) {
      const stop = stopOf(candidate, room);
      if (stop) ended.push({ ...hypothesisOf(candidate, stop, positions), known: known.length });
      else going.push(candidate);
    }
    beams = await extended(decoding, going);
  }
  return ended;
}

/** Decodes the beginning: the known tokens, and those of the guess that are kept. */
async function firstBeam(
  decoding: MoonshineDecoding,
  room: number,
  { known = [], guess: whole = [], favour }: DecodeOptions,
): Promise<Beam> {
  const guess = whole.slice(0, room - 1);
  const [step] = await decoding.step([[START_TOKEN, ...known, ...guess]]);
  if (!step) throw new Error('unreachable: a step has a result for each beam');
  const logProbabilities: number[] = [];
  let score = 0;
  for (const [row, token] of guess.entries()) {
    const next = nextAt(step, known.length + row);
    const favoured = favour?.(guess.slice(0, row)) ?? NONE_FAVOURED;
    const value = next[token]! + (favoured.get(token) ?? 0);
    if (likeliest(next, favoured, 1).some(best => best.value > value + GUESS_BONUS)) break;
    logProbabilities.push(next[token]!);
    score += value;
  }
  const count = logProbabilities.length;
  const rows = known.length + count;
  const attention = Array.from({ length: rows + 1 }, (_, row) => attentionAt(step, row, decoding.positions));
  const beam = { tokens: guess.slice(0, count), logProbabilities, attention, score };
  const next = nextAt(step, rows);
  if (count < guess.length) decoding.truncate(rows + 1);
  return { ...beam, next };
}

/** Decodes one token more of each beam. */
async function extended(decoding: MoonshineDecoding, chosen: readonly Candidate[]): Promise<Beam[]> {
  if (chosen.length === 0) return [];
  const steps = await decoding.step(
    chosen.map(({ token }) => [token]),
    chosen.map(({ parent }) => parent),
  );
  return steps.flatMap((step, index) => {
    const candidate = chosen[index];
    return candidate ? [withToken(candidate, step, decoding.positions)] : [];
  });
}

function withToken(
  { beam, token, logProbability, score }: Candidate,
  step: DecoderStep,
  positions: number,
): Beam {
  return {
    tokens: [...beam.tokens, token],
    logProbabilities: [...beam.logProbabilities, logProbability],
    attention: [...beam.attention, attentionAt(step, 0, positions)],
    score,
    next: nextAt(step, 0),
  };
}

interface CandidateOptions extends Pick<Candidate, 'beam' | 'parent'>, Pick<DecodeOptions, 'favour'> {
  readonly width: number;
}

/** Returns the likeliest tokens after a beam, as many as there are beams. */
function candidatesOf({ beam, parent, favour, width }: CandidateOptions): readonly Candidate[] {
  const favoured = favour?.(beam.tokens) ?? NONE_FAVOURED;
  return likeliest(beam.next, favoured, width).map(({ token, value }) => ({
    beam,
    parent,
    token,
    logProbability: value - (favoured.get(token) ?? 0),
    score: beam.score + value,
  }));
}

/** Returns the reason why a hypothesis ends with a token, if it does. */
function stopOf({ beam, token }: Candidate, most: number): Hypothesis['stop'] | undefined {
  if (token === END_TOKEN) return 'end';
  const tokens = [...beam.tokens, token];
  if (repeats(tokens)) return 'loop';
  return tokens.length >= most ? 'length' : undefined;
}

function hypothesisOf(
  { beam, token, logProbability, score }: Candidate,
  stop: Hypothesis['stop'],
  positions: number,
): Omit<Hypothesis, 'known'> {
  const isEnd = stop === 'end';
  const heads = (beam.attention[0] ?? []).map((_, head) => beam.attention.flatMap(rows => rows[head] ?? []));
  return {
    tokens: isEnd ? beam.tokens : [...beam.tokens, token],
    logProbabilities: isEnd ? beam.logProbabilities : [...beam.logProbabilities, logProbability],
    stop,
    score,
    endProbability: isEnd ? Math.exp(logProbability) : 0,
    attention: heads,
    positions,
  };
}

function nextAt({ logProbabilities }: DecoderStep, row: number): Float32Array {
  return logProbabilities.subarray(row * VOCABULARY_SIZE, (row + 1) * VOCABULARY_SIZE);
}

/** Returns the attention of each head at a given token. */
function attentionAt({ attention }: DecoderStep, row: number, positions: number): readonly Float32Array[] {
  return attention.map(values => values.slice(row * positions, (row + 1) * positions));
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

/** A token with its log probability, and its bonus when it is favoured. */
interface Likely {
  readonly token: number;
  readonly value: number;
}

/** Returns the likeliest tokens, in descending order. */
function likeliest(
  next: Float32Array,
  favoured: ReadonlyMap<number, number>,
  count: number,
): readonly Likely[] {
  const best: Likely[] = [];
  let least = Number.NEGATIVE_INFINITY;
  const offer = (token: number, value: number) => {
    if (value <= least) return;
    if (best.length === count) best.pop();
    const at = best.findIndex(other => other.value < value);
    best.splice(at < 0 ? best.length : at, 0, { token, value });
    if (best.length === count) least = best.at(-1)?.value ?? least;
  };
  // A favoured token is offered once, with its bonus.
  for (const [token, bonus] of favoured) offer(token, next[token]! + bonus);
  for (let token = 0; token < next.length; token++)
    if (next[token]! > least && !favoured.has(token)) offer(token, next[token]!);
  return best;
}
