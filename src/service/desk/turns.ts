import type { DeskTurn, DeskWord } from '../../protocol/desk.ts';
import { DESK_LIMITS } from '../../protocol/limits.ts';
import { type Transcript, type TranscriptElement, writtenElement } from '../../transcript/model/model.ts';
import { type Fault, refuse } from '../areas/faults.ts';
import { type PlacedElement, placedElements } from '../tasks/human/humanText.ts';
import type { Segment } from '../tasks/inputs.ts';
import { joinedTurns } from '../tasks/joinedTurns.ts';

/** Characters after which the end of a sentence ends a paragraph, and after which any word does. */
const PARAGRAPH_LENGTH = { sentence: 300, word: 1000 } as const;

/**
 * Returns the words of a transcript that are spoken within segments, as turns of the desk: a speaker who talks for long has
 * several.
 */
export function turnsOf({ monologues }: Transcript, segments: readonly Segment[]): readonly DeskTurn[] {
  return monologues.flatMap(({ speaker, elements }) => {
    const paragraphs: Paragraph[] = [];
    let segment = -1;
    let isFirst = true;
    /** Punctuation and spaces since the last word. */
    let between = '';
    for (const element of elements) {
      if (element.type === 'punct') {
        between += oneLine(element.value);
        continue;
      }
      const own = segmentOf(element, segments, segment);
      const last = segment < 0 ? undefined : paragraphs.at(-1);
      const gap = last && between === '' ? ' ' : between;
      // Text after the last space belongs to the next word, as does all text before the first word.
      const opening = isFirst ? gap.trimStart() : (/\s(\S*)$/u.exec(gap)?.[1] ?? '');
      isFirst = false;
      const isNew = own !== segment || (last && isLong(last.text + gap) && /\s/u.test(gap));
      if (last) last.text += isNew ? gap.slice(0, gap.length - opening.length) : gap;
      if (isNew && own >= 0) paragraphs.push({ text: opening, words: [] });
      if (own >= 0) append(paragraphs.at(-1)!, element);
      segment = own;
      between = '';
    }
    const last = segment < 0 ? undefined : paragraphs.at(-1);
    if (last) last.text += between;
    return paragraphs.map(({ text, words }) => ({
      speaker: Math.min(speaker, DESK_LIMITS.maxSpeaker),
      text: text.trimEnd(),
      words,
    }));
  });
}

interface Paragraph {
  text: string;
  readonly words: DeskWord[];
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const SENTENCE_END = /[.?!…。？！؟।]["')\]\p{Pf}]*(\s|$)/u;

/** @param text ends with a space, and the opening of the next word */
function isLong(text: string): boolean {
  if (text.length <= PARAGRAPH_LENGTH.sentence) return false;
  return text.length > PARAGRAPH_LENGTH.word || SENTENCE_END.test(text.slice(-8));
}

/** Returns the index of the segment with the middle of a word; of an element without times, that of the word before it. */
function segmentOf(element: TranscriptElement, segments: readonly Segment[], before: number): number {
  if (element.type !== 'text' || element.ts === undefined) return before;
  const middle = (element.ts + (element.endTs ?? element.ts)) / 2;
  return segments.findIndex(({ start, end }) => middle >= start && middle <= end);
}

function append(open: Paragraph, element: TranscriptElement): void {
  const from = open.text.length;
  open.text += element.type === 'unknown' ? writtenElement(element) : oneLine(element.value);
  if (element.type !== 'text' || element.ts === undefined || element.endTs === undefined) return;
  const { ts, endTs, confidence } = element;
  const word = [from, open.text.length, ts, endTs] as const;
  open.words.push(confidence === undefined ? [...word] : [...word, confidence]);
}

/** Returns turns as a transcript; consecutive turns of one speaker form one monologue. */
export function transcriptOf(turns: readonly DeskTurn[]): Transcript {
  return joinedTurns(turns.map(turn => ({ speaker: turn.speaker, elements: elementsOf(turn) })));
}

/** Returns the elements of a turn. A word has times when it has the same beginning and end as a word of the turn. */
function elementsOf({ text, words }: DeskTurn): readonly TranscriptElement[] {
  const starts = new Map(words.map(word => [word[0], word]));
  const placed = placedElements(text);
  const elements: TranscriptElement[] = [];
  let next = 0;
  for (const [at, { element, from }] of placed.entries()) {
    if (at < next) continue;
    const word = element.type === 'text' ? starts.get(from) : undefined;
    const last = word && lastPart(placed, at, word[1]);
    if (word && last !== undefined) {
      const [, to, ts, endTs] = word;
      elements.push({ type: 'text', value: text.slice(from, to), ts, endTs });
      next = last + 1;
    } else elements.push(element);
  }
  return elements;
}

/**
 * Returns the index of the last element of a word: of `New York` as one word, that of `York`. Undefined when the word has
 * other parts, or ends within one.
 */
function lastPart(placed: readonly PlacedElement[], first: number, end: number): number | undefined {
  for (let at = first; at < placed.length; at++) {
    const { element, to } = placed[at]!;
    if (element.type !== 'text' && element.value !== ' ') return undefined;
    if (to >= end) return to === end ? at : undefined;
  }
  return undefined;
}

/** Seconds by which words may end after the media, whose length is rounded; they are cut when the job is finished. */
const SLACK_SECONDS = 0.1;

/**
 * @param seconds length of the media
 * @throws ProblemError `invalidParameters` for words outside the text or the media, out of order, or that end before they start
 */
export function checkTurns(turns: readonly DeskTurn[], seconds: number): void {
  const wrong = turns.flatMap(({ text, words }, index): Fault[] => {
    const name = `turns[${index}].words`;
    let reached = 0;
    const isRight = words.every(([from, to, ts, endTs]) => {
      const fits = from >= reached && to > from && to <= text.length && ts <= endTs;
      reached = to;
      return fits;
    });
    if (!isRight) return [[name, 'must be in the order of the text, and within it']];
    const isHeard = words.every(([, , , endTs]) => endTs <= seconds + SLACK_SECONDS);
    return isHeard ? [] : [[name, `must lie within the media, which has ${seconds} seconds`]];
  });
  refuse(wrong);
}
