import type { Transcript, TranscriptElement } from '../../transcript/model.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuledWord, RuleSet } from '../rules/ruleSet.ts';

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

/** A piece of text, and when it was said. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly ts: number;
  readonly endTs: number;
}

/**
 * The words of a reference, with the times of the segments that they are in. Segments of one speaker are read as one text:
 * a number may go over the end of one.
 */
export function referenceWords({ segments }: Reference, rules: RuleSet): readonly ScoredWord[] {
  return turns(segments, ({ speaker }) => speaker).flatMap(turn => {
    const { speaker } = turn[0]!;
    const { text, places } = segmentsText(turn);
    const words = scoredWords(text, rules, places);
    return speaker === undefined ? words : words.map(word => ({ ...word, speaker }));
  });
}

/** The words of a transcript, with the times of the elements that they are made of. */
export function transcriptWords({ monologues }: Transcript, rules: RuleSet): readonly ScoredWord[] {
  return turns(monologues, ({ speaker }) => speaker).flatMap(turn => {
    const { text, places } = timedText(turn.map(({ elements }) => elements));
    return scoredWords(text, rules, places);
  });
}

/** What follows each other of one speaker. */
function turns<T>(items: readonly T[], speakerOf: (item: T) => unknown): readonly (readonly T[])[] {
  const found: T[][] = [];
  for (const item of items) {
    const turn = found.at(-1);
    if (turn && speakerOf(turn[0]!) === speakerOf(item)) turn.push(item);
    else found.push([item]);
  }
  return found;
}

/** The texts of segments with spaces between, and where in it is what has times. */
function segmentsText(segments: Reference['segments']) {
  const places: Place[] = [];
  let text = '';
  for (const segment of segments) {
    if (text !== '') text += ' ';
    const { ts, endTs } = segment;
    const start = text.length;
    text += segment.text;
    if (ts !== undefined && endTs !== undefined && segment.text !== '') {
      places.push({ start, end: text.length, ts, endTs });
    }
  }
  return { text, places };
}

/** The texts of lists of elements with spaces between, each as `textOf` writes it, and where in it is what has times. */
function timedText(lists: readonly (readonly TranscriptElement[])[]) {
  const places: Place[] = [];
  let text = '';
  for (const elements of lists) {
    if (text !== '') text += ' ';
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
function scoredWords(text: string, rules: RuleSet, places: readonly Place[] = []): readonly ScoredWord[] {
  const words = rules.words(text);
  let next = 0;
  return words.map((ruled, index) => {
    while (next < places.length && places[next]!.end <= ruled.start) next++;
    let after = next;
    while (after < places.length && places[after]!.start < ruled.end) after++;
    const isOneOfMany = sharePlace(ruled, words[index - 1]) || sharePlace(ruled, words[index + 1]);
    return {
      word: ruled.word,
      shown: isOneOfMany ? ruled.word : text.slice(ruled.start, ruled.end),
      ...(after > next && {
        ts: timeAt(places[next]!, ruled.start),
        endTs: timeAt(places[after - 1]!, ruled.end),
      }),
    };
  });
}

/** When a piece of text has come to a position: as if each of its characters took as long. */
function timeAt({ start, end, ts, endTs }: Place, position: number): number {
  const share = Math.min(1, Math.max(0, (position - start) / (end - start)));
  return ts * (1 - share) + endTs * share;
}

const sharePlace = (word: RuledWord, other: RuledWord | undefined) =>
  other?.start === word.start && other.end === word.end;
