import { TICK_FRAMES } from '../soundswallower/grammarDecoder.ts';
import { soundLevelsOf, type Ticks } from './soundLevels.ts';

/** A word with its frames in the audio. */
export interface EdgedWord {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly pronunciations: readonly string[];
}

/** Longest sound, in ticks, that silence may cut off a word: a rest of the word before, or breath. */
const MAX_REST = 12;
/** Distances in ticks: of a hiss from its word, and of the corrected edge from that of the search. */
const MAX_GAP = 10;
const MAX_CHANGE = 30;
/** Ticks of silence that belong to a word that begins with a stop: its closure. */
const CLOSURE = 8;
const BEGINS_WITH_STOP = /^(P|T|K|B|D|G|CH|JH)\b/;
const BEGINS_WITH_HISS = /^(S|Z|SH|ZH|CH|JH)\b/;
const ENDS_WITH_HISS = /\b(S|Z|SH|ZH|CH|JH)$/;

/**
 * Returns words, which follow one another, with edges corrected by loudness. The acoustic model takes frequencies below
 * 3.7 kHz only, and so a final "s" for silence, and soft noise for the beginning of a word.
 */
export function settleEdges<T extends EdgedWord>(words: readonly T[], audio: Int16Array): readonly T[] {
  const { hisses, silences } = soundLevelsOf(audio);
  const spans = words.map(word => ({
    start: Math.round(word.startFrame / TICK_FRAMES),
    end: Math.round(word.endFrame / TICK_FRAMES),
    word,
  }));
  for (const [index, span] of spans.entries()) {
    const { pronunciations } = span.word;
    if (pronunciations.some(phones => ENDS_WITH_HISS.test(phones))) {
      span.end = hissEnd(span, hisses, spans[index + 1]?.start ?? Infinity);
    }
    if (pronunciations.some(phones => BEGINS_WITH_HISS.test(phones))) {
      span.start = hissStart(span, hisses, spans[index - 1]?.end ?? 0);
    }
  }
  for (const silence of silences) leaveOut(silence, spans);
  return spans.map(({ start, end, word }) => ({
    ...word,
    startFrame: start * TICK_FRAMES,
    endFrame: Math.min(audio.length, end * TICK_FRAMES),
  }));
}

/** Begins a word after the silence near its beginning; a sound before that belongs to the word before it. */
function leaveOut(
  silence: Ticks,
  spans: readonly { start: number; end: number; readonly word: EdgedWord }[],
): void {
  const index = spans.findIndex(({ start, end }) => start < silence.end && silence.end < end);
  const span = spans[index];
  if (!span || silence.start - span.start > MAX_REST) return;
  const before = spans[index - 1];
  if (before?.end === span.start) before.end = Math.max(before.end, silence.start);
  const isStop = span.word.pronunciations.some(phones => BEGINS_WITH_STOP.test(phones));
  span.start = Math.max(span.start, silence.end - (isStop ? CLOSURE : 0));
}

function hissEnd(word: Ticks, hisses: readonly Ticks[], limit: number): number {
  const middle = middleOf(word);
  const hiss = hisses.findLast(
    ({ start, end }) => start <= word.end + MAX_GAP && start < limit && middleOf({ start, end }) > middle,
  );
  const isNear = hiss && Math.abs(hiss.end - word.end) <= MAX_CHANGE;
  return isNear ? Math.min(hiss.end, limit) : word.end;
}

function hissStart(word: Ticks, hisses: readonly Ticks[], limit: number): number {
  const middle = middleOf(word);
  const hiss = hisses.find(
    ({ start, end }) => end >= word.start - MAX_GAP && end > limit && middleOf({ start, end }) < middle,
  );
  const isNear = hiss && Math.abs(hiss.start - word.start) <= MAX_CHANGE;
  return isNear ? Math.max(hiss.start, limit) : word.start;
}

function middleOf({ start, end }: Ticks): number {
  return (start + end) / 2;
}
