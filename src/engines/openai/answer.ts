import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { plainWord } from '../sherpa/tokens/tokenWords.ts';
import { spokenWords, type WrittenSpan } from '../spokenWords.ts';
import type { HeardUtterance } from '../streamed.ts';
import { dividedSpan, type FrameSpan } from '../timedWords.ts';

const SAMPLE_RATE = 16_000;
const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 1_000_000;
/** Words in a second of speech: more come from a model that repeats itself. */
const MOST_WORDS = 10;
/** A segment with a higher probability of silence and a lower likelihood is noise, by Whisper's own thresholds. */
const SILENCE = { probability: 0.6, logProbability: -1 };
/** Seconds by which times may lie outside of the audio: models round them, and pad the audio. */
const MARGIN_SECONDS = 0.5;

/** Tokens of whisper.cpp that are no text, such as `[_BEG_]`. */
const CONTROL_TOKEN = /^\[_.*_?\]$/;

const Text = Type.String({ maxLength: MAX_CHARACTERS });
const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const Span = { start: orNull(Type.Number()), end: orNull(Type.Number()) };
const Word = Type.Object({ word: Text, ...Span, probability: orNull(Type.Number()) });
const Words = orNull(Type.Array(Word, { maxItems: MAX_ITEMS }));
const Segment = Type.Object({
  ...{ text: Text, ...Span, words: Words },
  avg_logprob: orNull(Type.Number()),
  no_speech_prob: orNull(Type.Number()),
});
const Answer = Type.Object({
  ...{ text: Text, words: Words },
  language: orNull(Type.String({ maxLength: 100 })),
  segments: orNull(Type.Array(Segment, { maxItems: MAX_ITEMS })),
});
const answers = Compile(Answer);

/** The answer of a server in `verbose_json`, or in `json`, which has only the text. */
export type TranscriptionAnswer = Static<typeof Answer>;
type AnswerWord = Static<typeof Word>;
type AnswerSegment = Static<typeof Segment>;

/** Returns the answer of a server; undefined for anything else. */
export function readAnswer(text: string): TranscriptionAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return answers.Check(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds since the start of the audio. */
interface Times {
  readonly start: number;
  readonly end: number;
}

/** A word as it is written, with a confidence if the server gives one. */
interface RatedSpan extends WrittenSpan {
  readonly confidence: number | undefined;
}

/**
 * Returns what a server has heard in some frames of audio; words in frames since its start.
 *
 * Words without times, or with times outside of the audio, share the time of their segment, or that of the audio, by length. The
 * confidence is the probability of the word, else that of its segment's mean token.
 */
export function heardIn(answer: TranscriptionAnswer, frames: number, language?: string): HeardUtterance {
  const isTimed = timedWithin(frames / SAMPLE_RATE);
  const given = answer.segments ?? [];
  const segments = given.filter(segment => !isSilence(segment));
  const text = given.length > 0 ? segments.map(segment => segment.text).join(' ') : answer.text;
  const silences = given.filter(isSilence).filter(isTimed);
  const words = wholeWords(answer.words ?? segments.flatMap(({ words }) => words ?? []));
  const isTimedByWord = words.length > 0 && words.every(isTimed);
  const spans = isTimedByWord
    ? ratedWords(
        asWritten(
          words.filter(word => !during(word, silences)),
          text,
        ),
        segments.filter(isTimed),
      )
    : segments.length > 0 && segments.every(isTimed)
      ? segments.flatMap(segment => shared(segment.text, framesOf(segment), likelihoodOf(segment)))
      : shared(text, { startFrame: 0, endFrame: frames });
  const spoken = spans
    .slice(0, Math.ceil(MOST_WORDS * (frames / SAMPLE_RATE)))
    .flatMap(({ confidence, ...span }) => spokenWords(span, language).map(word => ({ ...word, confidence })));
  return { words: spoken, language, hasSharedTimes: !isTimedByWord };
}

/** Returns a test of times within some audio. */
function timedWithin(seconds: number) {
  return <T extends Pick<AnswerSegment, 'start' | 'end'>>(span: T): span is T & Times => {
    const { start, end } = span;
    if (typeof start !== 'number' || typeof end !== 'number') return false;
    return start >= -MARGIN_SECONDS && start <= end && end <= seconds + MARGIN_SECONDS;
  };
}

function isSilence({ no_speech_prob, avg_logprob }: AnswerSegment): boolean {
  return (no_speech_prob ?? 0) > SILENCE.probability && (avg_logprob ?? 0) < SILENCE.logProbability;
}

function ratedWords(
  words: readonly (AnswerWord & Times)[],
  segments: readonly (AnswerSegment & Times)[],
): readonly RatedSpan[] {
  return words.map(word => ({
    ...framesOf(word),
    text: word.word,
    confidence: rounded(word.probability ?? likelihoodOf(during(word, segments))),
  }));
}

/** Joins parts of words: where some words begin with a space, those without it continue the one before. */
function wholeWords(parts: readonly AnswerWord[]): readonly AnswerWord[] {
  const areSpaced = parts.some(({ word }) => /^\s/.test(word));
  const words: AnswerWord[] = [];
  for (const part of parts.filter(({ word }) => !CONTROL_TOKEN.test(word))) {
    const last = words.at(-1);
    if (!last || !areSpaced || /^\s/.test(part.word)) words.push({ ...part, word: part.word.trim() });
    else words[words.length - 1] = { ...last, word: last.word + part.word.trim(), end: part.end };
  }
  return words.filter(({ word }) => word !== '');
}

/** Gives words the capitals and marks of the text: some servers list them without. */
function asWritten<Word extends AnswerWord>(words: readonly Word[], text: string): readonly Word[] {
  const tokens = text.split(/\s+/).filter(Boolean);
  let next = 0;
  return words.map(word => {
    const plain = plainWord(word.word);
    const found = tokens.slice(next, next + 3).findIndex(token => plainWord(token) === plain);
    if (found < 0) return word;
    next += found + 1;
    return { ...word, word: tokens[next - 1]! };
  });
}

/** Returns the segment that contains the middle of a word. */
function during<Segment extends Times>(
  { start, end }: Times,
  segments: readonly Segment[],
): Segment | undefined {
  const middle = (start + end) / 2;
  return segments.find(segment => segment.start <= middle && middle <= segment.end);
}

function likelihoodOf(segment: AnswerSegment | undefined): number | undefined {
  return typeof segment?.avg_logprob === 'number' ? Math.exp(segment.avg_logprob) : undefined;
}

function rounded(probability: number | undefined): number | undefined {
  if (probability === undefined) return undefined;
  return Math.round(Math.min(1, Math.max(0, probability)) * 1000) / 1000;
}

function framesOf({ start, end }: Times) {
  return { startFrame: Math.round(start * SAMPLE_RATE), endFrame: Math.round(end * SAMPLE_RATE) };
}

/** Divides a stretch of audio among the words of a text by their lengths. */
function shared(text: string, span: FrameSpan, probability?: number): readonly RatedSpan[] {
  const words = text.split(/\s+/).filter(Boolean);
  const lengths = words.map(({ length }) => length + 1);
  const confidence = rounded(probability);
  return dividedSpan(span, lengths).map((part, index) => ({ ...part, text: words[index]!, confidence }));
}
