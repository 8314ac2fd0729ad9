import { toFloats } from '../../audio/pcm/pcm.ts';
import { type DecodeOptions, decodeHypotheses, type Hypothesis } from './hypothesis.ts';
import { LEAST_FRAMES, type MoonshineModel } from './model.ts';
import { wordsIn } from './tokens.ts';

const SAMPLE_RATE = 16_000;
/** Silence after the audio of an utterance. */
const END_FRAMES = 0.2 * SAMPLE_RATE;

/** An utterance within audio, mono at 16 kHz. */
export interface Utterance {
  readonly samples: Int16Array;
  /** First frame in `samples`: those before it precede the utterance. */
  readonly start: number;
  /** The speech just before the utterance, which is decoded with it. */
  readonly known?: KnownSpeech | undefined;
}

/** Speech whose text is known: the beginning of a sentence. */
export interface KnownSpeech {
  /** First frame of its audio. */
  readonly from: number;
  readonly tokens: readonly number[];
}

/** An utterance with its result. */
export interface DecodedSpan {
  /** First frame of the audio that was decoded. */
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
/** Least duration of inaudible speech: 2 s of voice, and the audio around it that is part of an utterance. */
const LEAST_INAUDIBLE_SECONDS = 2.5;
/** Mean log probability below which a result is removed. In long ones below it, four in five words are wrong, by both models on noisy speech. */
const LEAST_MEAN = { short: -1.5, long: -0.7 } as const;
/** Subtitles from the training data, which the model may write for noise. */
const JUNK = /emily beynon|thank(s| you) for watching|♪/i;
/** Text of the base model for noise, with a probability below a half. */
const UNSURE_JUNK = /^you\.?$/i;

/** Decodes an utterance to the best of some hypotheses. */
export async function decodeUtterance(
  model: MoonshineModel,
  utterance: Utterance,
  options: DecodeOptions = {},
): Promise<DecodedSpan> {
  const { samples, start, known } = utterance;
  const from = known?.from ?? Math.max(0, start - model.leadFrames);
  const end = samples.length;
  const decoding = await model.decode(withSilence(samples.subarray(from)));
  try {
    const hypotheses = await decodeHypotheses(decoding, { ...options, known: known?.tokens });
    const spans = hypotheses.map(hypothesis => ({ from, start, end, hypothesis }));
    const best = spans.reduce((one, other) => (rankOf(other) > rankOf(one) ? other : one));
    return spans.find(isNoSpeech) ?? best;
  } finally {
    decoding.close();
  }
}

/** Returns what a result says: words, speech of at least 2 s without likely words, or nothing. */
export function judge(span: DecodedSpan): 'words' | 'inaudible' | 'nothing' {
  const { hypothesis } = span;
  const isLong = secondsOf(span) >= LEAST_INAUDIBLE_SECONDS;
  const least = LEAST_MEAN[isLong ? 'long' : 'short'] + (hypothesis.stop === 'end' ? 0 : 0.5);
  if (isJunk(span) || hypothesis.tokens.length === 0) return 'nothing';
  if (meanLogProbability(hypothesis) >= least) return 'words';
  return isLong ? 'inaudible' : 'nothing';
}

/** Returns whether the model is sure that nobody speaks. */
function isNoSpeech(span: DecodedSpan): boolean {
  const { tokens, endProbability } = span.hypothesis;
  return tokens.length === 0 && endProbability > NO_SPEECH_PROBABILITY;
}

function isJunk({ hypothesis }: DecodedSpan): boolean {
  const text = wordsIn(hypothesis.tokens)
    .map(word => word.text)
    .join(' ');
  return JUNK.test(text) || (UNSURE_JUNK.test(text) && meanLogProbability(hypothesis) < Math.log(1 / 2));
}

function meanLogProbability({ logProbabilities }: Hypothesis): number {
  const sum = logProbabilities.reduce((total, value) => total + value, 0);
  return logProbabilities.length === 0 ? -9 : sum / logProbabilities.length;
}

function secondsOf({ start, end }: DecodedSpan): number {
  return (end - start) / SAMPLE_RATE;
}

/** Returns samples with silence after them: without it, the model leaves out words at the end. */
function withSilence(audio: Int16Array): Float32Array {
  const longer = new Float32Array(Math.max(LEAST_FRAMES, audio.length + END_FRAMES));
  longer.set(toFloats(audio));
  return longer;
}

/** Order of the hypotheses: one that leaves out speech comes last, but for what the model writes for noise. */
function rankOf(span: DecodedSpan): number {
  const { tokens, score } = span.hypothesis;
  const isSparse = tokens.length < LEAST_TOKENS_PER_SECOND * (secondsOf(span) - SILENT_SECONDS);
  return score / (tokens.length + 1) - PENALTY * ((isSparse ? 1 : 0) + (isJunk(span) ? 2 : 0));
}
