import { toFloats } from '../../audio/pcm/pcm.ts';
import { quietestFrame } from '../voice/quietestFrame.ts';
import { type DecodeOptions, decodeHypotheses, type Hypothesis } from './hypothesis.ts';
import { LEAST_FRAMES, type MoonshineModel } from './model.ts';
import { wordsIn } from './tokens.ts';

const SAMPLE_RATE = 16_000;
/** Silence after the audio of an utterance. */
const END_FRAMES = 0.2 * SAMPLE_RATE;

/** An utterance within audio, mono at 16 kHz. */
export interface Utterance {
  /** The utterance and its surroundings, into which its edges may be moved. */
  readonly samples: Int16Array;
  /** Frames in `samples`. */
  readonly start: number;
  readonly end: number;
  /** The speech just before the utterance, which is decoded with it. */
  readonly known?: KnownSpeech | undefined;
}

/** Speech whose text is known: the beginning of a sentence. */
export interface KnownSpeech {
  /** First frame of its audio. */
  readonly from: number;
  readonly tokens: readonly number[];
}

/** A part of an utterance with its result. */
export interface DecodedSpan {
  /** First frame of the audio that was decoded: that of the known speech, else `start`. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly hypothesis: Hypothesis;
}

/**
 * Probability of an immediate end above which nobody speaks: at least 0.968 for 38 kinds of sound without speech, but for less
 * than a second of some of them by the base model; at most 0.94 for 25 recordings of speech.
 */
const NO_SPEECH_PROBABILITY = 0.95;
/** Token rate below which speech was left out, in English. */
const LEAST_TOKENS_PER_SECOND = 1.3;
/** Deduction from the rank of a hypothesis: more than any difference of log probabilities. */
const PENALTY = 100;
/** Seconds of silence that an utterance may contain. */
const SILENT_SECONDS = 0.5;
/** Below it, four in five words are wrong, by both models on noisy speech. */
const LEAST_MEAN_LOG_PROBABILITY = -0.7;
/**
 * Changes of the edges for further tries, in seconds: a little more or less leading silence changes the text.
 */
const SHIFTS = [
  { start: -0.3, end: 0 },
  { start: 0.25, end: 0 },
  { start: 0, end: 0.3 },
  { start: 0.15, end: 0.15 },
] as const;
/** Number of tries after which an unsuspicious result is accepted. */
const LEAST_TRIES = 3;
/** Improvement needed to replace a result. */
const MARGIN = 0.02;
/** Worth below which a result is noise. */
const LEAST_WORTH = -1.5;
/** Least duration of inaudible speech: 2 s of voice, and the audio around it that is part of an utterance. */
const LEAST_INAUDIBLE_SECONDS = 2.5;
/** Seconds above which an utterance may be split as a last resort. */
const LEAST_SPLIT_SECONDS = 3;
/** Factor of additional tokens that the two halves need to win. */
const SPLIT_GAIN = 1.3;
/** Subtitles from the training data, which the model may write for noise. */
const JUNK = /emily beynon|thank(s| you) for watching|♪/i;
/** What the base model writes for noise, with a probability below a half. */
const UNSURE_JUNK = /^you\.?$/i;

/** Decodes an utterance as it is, without further tries. */
export async function decodeOnce(
  model: MoonshineModel,
  utterance: Utterance,
  options: DecodeOptions = {},
): Promise<DecodedSpan> {
  const { samples, start, end, known } = utterance;
  const from = known?.from ?? start;
  const audio = samples.subarray(from, end);
  const decoding = await model.decode(withSilence(audio));
  try {
    const hypotheses = await decodeHypotheses(decoding, { ...options, known: known?.tokens });
    const seconds = secondsOf(utterance);
    const spans = hypotheses.map(hypothesis => ({ from, start, end, hypothesis }));
    return (
      spans.find(isNoSpeech) ??
      spans.reduce((best, span) => (rankOf(span, seconds) > rankOf(best, seconds) ? span : best))
    );
  } finally {
    decoding.close();
  }
}

/**
 * Decodes a whole utterance.
 *
 * The model sometimes leaves out speech or loops, depending on the exact edges of the audio. A suspicious
 * result is tried again with other edges, and finally split; the likeliest result wins. This adds some 10 %
 * of processor time. Speech of 2 s whose words stay unlikely is one span without tokens.
 */
export async function decodeUtterance(
  model: MoonshineModel,
  utterance: Utterance,
  options: DecodeOptions = {},
  canSplit = true,
): Promise<readonly DecodedSpan[]> {
  const first = await decodeOnce(model, utterance, options);
  if (!isSuspicious(first) || isNoSpeech(first)) return [first];
  const best = await bestOfShifted(model, utterance, options, first);
  const { tokens } = best.hypothesis;
  const seconds = secondsOf(utterance);
  if (canSplit && seconds > LEAST_SPLIT_SECONDS && isSparse(tokens.length, seconds)) {
    const halves = await decodeHalves(model, utterance, options);
    const found = halves.reduce((sum, { hypothesis }) => sum + hypothesis.tokens.length, 0);
    if (found > tokens.length * SPLIT_GAIN) return halves;
  }
  // Unlikely words are removed, and a long enough utterance is shown as inaudible.
  const isLong = canSplit && seconds >= LEAST_INAUDIBLE_SECONDS;
  if (worthOf(best, seconds) >= (isLong ? LEAST_MEAN_LOG_PROBABILITY : LEAST_WORTH)) return [best];
  return isLong && !isJunk(best) ? [withoutTokens(best)] : [];
}

function withoutTokens(span: DecodedSpan): DecodedSpan {
  return { ...span, hypothesis: { ...span.hypothesis, tokens: [], logProbabilities: [], endProbability: 0 } };
}

/** Returns whether a result needs another try. */
export function isSuspicious(span: DecodedSpan): boolean {
  const { tokens, stop } = span.hypothesis;
  const isThin = tokens.length === 0 || isSparse(tokens.length, secondsOf(span));
  return stop !== 'end' || isThin || meanLogProbability(span.hypothesis) < LEAST_MEAN_LOG_PROBABILITY;
}

/** Returns whether the model is sure that nobody speaks. */
export function isNoSpeech(span: DecodedSpan): boolean {
  const { tokens, endProbability } = span.hypothesis;
  return tokens.length === 0 && endProbability > NO_SPEECH_PROBABILITY;
}

async function bestOfShifted(
  model: MoonshineModel,
  { samples, start, end, known }: Utterance,
  options: DecodeOptions,
  first: DecodedSpan,
): Promise<DecodedSpan> {
  const seconds = secondsOf({ start, end });
  let best = first;
  let tries = 1;
  for (const shift of SHIFTS) {
    const from = Math.max(0, start + shift.start * SAMPLE_RATE);
    const to = Math.min(samples.length, end + shift.end * SAMPLE_RATE);
    // After known speech, the utterance begins where that ends.
    if (to - from < LEAST_FRAMES || (known && shift.end === 0)) continue;
    const next = await decodeOnce(model, { samples, start: known ? start : from, end: to, known }, options);
    tries += 1;
    if (worthOf(next, seconds) > worthOf(best, seconds) + MARGIN) best = next;
    if (tries >= LEAST_TRIES && !isSuspicious(next)) break;
  }
  return best;
}

/** Splits at the quietest frame near the middle. */
async function decodeHalves(
  model: MoonshineModel,
  { samples, start, end, known }: Utterance,
  options: DecodeOptions,
): Promise<readonly DecodedSpan[]> {
  const frameAt = (share: number) => Math.round(start + share * (end - start));
  const middle = quietestFrame(samples, frameAt(0.3), frameAt(0.7));
  const left = { samples: samples.subarray(0, middle), start, end: middle, known };
  const right = { samples: samples.subarray(middle), start: 0, end: end - middle };
  const found = await decodeUtterance(model, left, options, false);
  const rest = await decodeUtterance(model, right, options, false);
  const moved = rest.map(({ hypothesis, ...span }) => ({
    hypothesis,
    from: span.from + middle,
    start: span.start + middle,
    end: span.end + middle,
  }));
  return [...found, ...moved].filter(({ hypothesis }) => hypothesis.tokens.length > 0);
}

/** Returns how well a result explains the audio, on the scale of mean log probabilities. */
function worthOf(span: DecodedSpan, seconds: number): number {
  const { hypothesis } = span;
  const { tokens, stop } = hypothesis;
  if (tokens.length === 0) return -2;
  const rate = tokens.length / Math.max(SILENT_SECONDS, seconds - SILENT_SECONDS);
  return (
    meanLogProbability(hypothesis) -
    (stop === 'end' ? 0 : 0.5) -
    0.6 * Math.max(0, LEAST_TOKENS_PER_SECOND - rate) -
    (isJunk(span) ? 5 : 0)
  );
}

function isJunk({ hypothesis }: DecodedSpan): boolean {
  const text = textOf(hypothesis.tokens);
  return JUNK.test(text) || (UNSURE_JUNK.test(text) && meanLogProbability(hypothesis) < Math.log(1 / 2));
}

function isSparse(tokens: number, seconds: number): boolean {
  return tokens < LEAST_TOKENS_PER_SECOND * (seconds - SILENT_SECONDS);
}

function meanLogProbability({ logProbabilities }: Hypothesis): number {
  const sum = logProbabilities.reduce((total, value) => total + value, 0);
  return logProbabilities.length === 0 ? -9 : sum / logProbabilities.length;
}

function secondsOf({ start, end }: { readonly start: number; readonly end: number }): number {
  return (end - start) / SAMPLE_RATE;
}

function textOf(tokens: readonly number[]): string {
  return wordsIn(tokens)
    .map(({ text }) => text)
    .join(' ');
}

/** Returns samples with silence after them: without it, the model leaves out words at the end. */
function withSilence(audio: Int16Array): Float32Array {
  const longer = new Float32Array(Math.max(LEAST_FRAMES, audio.length + END_FRAMES));
  longer.set(toFloats(audio));
  return longer;
}

/** Order of the hypotheses of one try: one that leaves out speech comes last, but for what the model writes for noise. */
function rankOf(span: DecodedSpan, seconds: number): number {
  const { tokens, score } = span.hypothesis;
  const penalties = (isSparse(tokens.length, seconds) ? 1 : 0) + (isJunk(span) ? 2 : 0);
  return score / (tokens.length + 1) - penalties * PENALTY;
}
