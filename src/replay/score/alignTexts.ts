import type { Transcript, TranscriptElement } from '../../transcript/model/model.ts';
import type { Alignment, AlignmentRule } from '../align/alignment.ts';
import { alignWords } from '../align/alignWords.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuledWord, RuleSet } from '../rules/ruleSet.ts';

export interface ScoreInput {
  readonly reference: Reference;
  readonly transcript: Transcript;
  readonly rules: RuleSet;
  /** Default `levenshtein`. */
  readonly alignment?: AlignmentRule;
}

/** The words of a reference and of a transcript side by side. */
export interface AlignedTexts {
  readonly said: readonly ScoredWord[];
  readonly heard: readonly ScoredWord[];
  readonly steps: Alignment;
}

/** Makes the words of both texts comparable, and aligns them: what all scores of them begin with. */
export function alignTexts({ reference, transcript, rules, alignment }: ScoreInput): AlignedTexts {
  const said = referenceWords(reference, rules);
  const heard = transcriptWords(transcript, rules);
  return { said, heard, steps: alignWords(wordsIn(said), wordsIn(heard), alignment) };
}

/** Words as they are compared. */
export function wordsIn(words: readonly ScoredWord[]): readonly string[] {
  return words.map(({ word }) => word);
}

/** A word that is scored. */
export interface ScoredWord {
  /** As it is compared. */
  readonly word: string;
  /** As it is shown: as written, unless what is written makes several words; then each as it is compared. */
  readonly shown: string;
  /** Who said it, where the reference tells. */
  readonly speaker?: string;
  /** In seconds, where they are known. */
  readonly ts?: number;
  readonly endTs?: number;
}

/** A piece of text: when it was said, and by whom, where that is known. */
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

/** Between what was said apart. It parts words, and ends what is in brackets. */
const BREAK = '\n';

/**
 * The words of a reference, with the times and speakers of the segments in which they begin. All of it is read as one
 * text, as the transcript is, which may have other turns: a number may go over the end of a segment.
 */
export function referenceWords({ segments }: Reference, rules: RuleSet): readonly ScoredWord[] {
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

/** The words of a transcript, with the times of the elements that they are made of. */
export function transcriptWords({ monologues }: Transcript, rules: RuleSet): readonly ScoredWord[] {
  const { text, places } = timedText(monologues.map(({ elements }) => elements));
  return scoredWords(text, rules, places);
}

/** The texts of lists of elements, each as `textOf` writes it, and where in it is what has times. */
function timedText(lists: readonly (readonly TranscriptElement[])[]) {
  const places: Place[] = [];
  let text = '';
  for (const elements of lists) {
    if (text !== '') text += BREAK;
    let previous: TranscriptElement | undefined;
    for (const element of elements) {
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

/** @param places in order, as the words of the rules are */
function scoredWords(text: string, rules: RuleSet, places: readonly Place[]): readonly ScoredWord[] {
  const words = rules.words(text);
  let next = 0;
  return words.map((ruled, index) => {
    while (next < places.length && places[next]!.end <= ruled.start) next++;
    let after = next;
    while (after < places.length && places[after]!.start < ruled.end) after++;
    const own = places.slice(next, after);
    const timed = own.filter(hasTimes);
    const speaker = own[0]?.speaker;
    const isOneOfMany = sharePlace(ruled, words[index - 1]) || sharePlace(ruled, words[index + 1]);
    return {
      word: ruled.word,
      shown: isOneOfMany ? ruled.word : text.slice(ruled.start, ruled.end).replaceAll(BREAK, ' '),
      ...(speaker !== undefined && { speaker }),
      ...(timed.length > 0 && {
        ts: timeAt(timed[0]!, ruled.start),
        endTs: timeAt(timed.at(-1)!, ruled.end),
      }),
    };
  });
}

const hasTimes = (place: Place): place is TimedPlace => place.ts !== undefined && place.endTs !== undefined;

/** When a piece of text has come to a position: as if each of its characters took as long. */
function timeAt({ start, end, ts, endTs }: TimedPlace, position: number): number {
  const share = Math.min(1, Math.max(0, (position - start) / (end - start)));
  return ts * (1 - share) + endTs * share;
}

const sharePlace = (word: RuledWord, other: RuledWord | undefined) =>
  other?.start === word.start && other.end === word.end;
