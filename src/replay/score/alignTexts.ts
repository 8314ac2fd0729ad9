import type { Transcript, TranscriptElement } from '../../transcript/model/model.ts';
import type { Alignment } from '../align/alignWords.ts';
import { alignWords } from '../align/alignWords.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuledWord, RuleSet } from '../rules/ruleSet.ts';

export interface ScoreInput {
  readonly reference: Reference;
  readonly transcript: Transcript;
  readonly rules: RuleSet;
}

/** The words of a reference and a transcript, with their alignment. */
export interface AlignedTexts {
  readonly said: readonly ScoredWord[];
  readonly heard: readonly ScoredWord[];
  readonly steps: Alignment;
}

/** Normalizes the words of both texts and aligns them, which is the first step of every score. */
export function alignTexts({ reference, transcript, rules }: ScoreInput): AlignedTexts {
  const said = referenceWords(reference, rules);
  const heard = transcriptWords(transcript, rules);
  return { said, heard, steps: alignWords(wordsIn(said), wordsIn(heard)) };
}

/** Returns the words in their normalized form. */
export function wordsIn(words: readonly ScoredWord[]): readonly string[] {
  return words.map(({ word }) => word);
}

/** A word to be scored. */
export interface ScoredWord {
  /** Normalized form. */
  readonly word: string;
  /** Form for display: as written, unless the written text makes several words; then each in its normalized form. */
  readonly shown: string;
  /** Speaker, when the reference names one. */
  readonly speaker?: string;
  /** Times in seconds, when known. */
  readonly ts?: number;
  readonly endTs?: number;
}

/** A range of the text, with its times and speaker when known. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly ts?: number;
  readonly endTs?: number;
  readonly speaker?: string;
}

interface TimedPlace extends Place {
  readonly ts: number;
  readonly endTs: number;
}

/** Separator of segments and turns. It separates words and closes brackets. */
const BREAK = '\n';

/**
 * Returns the words of a reference, with the times and speakers of the segments in which they begin. The segments are
 * read as one text, as the transcript is, because a number may continue across the end of a segment.
 */
function referenceWords({ segments }: Reference, rules: RuleSet): readonly ScoredWord[] {
  const places: Place[] = [];
  let text = '';
  for (const { text: said, ...known } of segments) {
    if (text !== '') text += BREAK;
    const start = text.length;
    text += said;
    if (said !== '') places.push({ start, end: text.length, ...known });
  }
  return scoredWords(text, rules, places);
}

/** Returns the words of a transcript, with the times of their elements. */
export function transcriptWords({ monologues }: Transcript, rules: RuleSet): readonly ScoredWord[] {
  const { text, places } = timedText(monologues.map(({ elements }) => elements));
  return scoredWords(text, rules, places);
}

/** Joins lists of elements, each as `textOf` writes it but without inaudible speech, and returns the ranges that have times. */
function timedText(lists: readonly (readonly TranscriptElement[])[]) {
  const places: Place[] = [];
  let text = '';
  for (const elements of lists) {
    if (text !== '') text += BREAK;
    let previous: TranscriptElement | undefined;
    for (const element of elements) {
      if (element.type === 'unknown') continue;
      if (previous && previous.type !== 'punct' && element.type !== 'punct') text += ' ';
      const start = text.length;
      text += element.value;
      previous = element;
      if (element.type !== 'text' || element.ts === undefined || element.value === '') continue;
      places.push({ start, end: text.length, ts: element.ts, endTs: element.endTs ?? element.ts });
    }
  }
  return { text, places };
}

/** @param places in order, like the words of the rules */
function scoredWords(text: string, rules: RuleSet, places: readonly Place[]): readonly ScoredWord[] {
  const words = rules.words(text);
  let next = 0;
  return words.map((ruled, index) => {
    while ((places[next]?.end ?? Number.POSITIVE_INFINITY) <= ruled.start) next++;
    let after = next;
    while ((places[after]?.start ?? Number.POSITIVE_INFINITY) < ruled.end) after++;
    const own = places.slice(next, after);
    const timed = own.filter(hasTimes);
    const [first, last] = [timed[0], timed.at(-1)];
    const isOneOfMany = sharePlace(ruled, words[index - 1]) || sharePlace(ruled, words[index + 1]);
    return {
      word: ruled.word,
      shown: isOneOfMany ? ruled.word : text.slice(ruled.start, ruled.end).replaceAll(BREAK, ' '),
      speaker: own[0]?.speaker,
      ts: first && timeAt(first, ruled.start),
      endTs: last && timeAt(last, ruled.end),
    };
  });
}

const hasTimes = (place: Place): place is TimedPlace => place.ts !== undefined && place.endTs !== undefined;

/** Returns the time of a position within a range, assuming that each character takes equally long. */
function timeAt({ start, end, ts, endTs }: TimedPlace, position: number): number {
  const share = Math.min(1, Math.max(0, (position - start) / (end - start)));
  return ts * (1 - share) + endTs * share;
}

const sharePlace = (word: RuledWord, other: RuledWord | undefined) =>
  other?.start === word.start && other.end === word.end;
