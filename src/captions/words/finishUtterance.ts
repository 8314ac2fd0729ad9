import { alignWords, type WordAlignment, type WordPair } from './alignWords.ts';
import {
  type CaptionWord,
  CORRECTION_MARK,
  type HypothesisWord,
  keyOf,
  type ShownWord,
  type Turn,
  turnMark,
} from './captionWord.ts';

export interface FinishedUtterance {
  /** Newly shown words: new words, and corrections of shown ones. */
  readonly added: readonly CaptionWord[];
  /** Wording of all its words in the transcript, by id; empty for a word that is not in it. */
  readonly wording: ReadonlyMap<number, string>;
}

interface FinishOptions {
  readonly nextId: number;
  /** Set when a new speaker begins. */
  readonly speakerTurn?: Turn;
  /** Set when words of another channel are the last ones on the screen. */
  readonly channelTurn?: Turn;
  /** Words of the hypothesis after the shown ones. */
  readonly pending: readonly HypothesisWord[];
}

/**
 * Ends an utterance with its final. A correction of the last shown words comes before the new words, as speech continues from
 * it; other corrections come after them.
 */
export function finishUtterance(
  shown: readonly ShownWord[],
  heard: readonly HypothesisWord[],
  { nextId, speakerTurn = {}, channelTurn, pending }: FinishOptions,
): FinishedUtterance {
  const alignment = alignWords(shown.map(keyOf), heard.map(keyOf), { pending: pending.map(keyOf) });
  const finals = heard.map(({ text }) => text);
  const wording = withMarks(wordingOf(alignment.pairs, shown, finals), shown, speakerTurn);
  const added: CaptionWord[] = [];
  const add = (word: Omit<CaptionWord, 'id'>, final: string) => {
    const id = nextId + added.length;
    added.push({ id, ...word });
    wording.set(id, final);
  };
  const corrections = correctionsOf(alignment, shown, heard);
  const correct = (last: boolean) => {
    for (const { shown: index, words } of corrections.filter(correction => correction.last === last)) {
      const [first, ...rest] = words;
      for (const text of [CORRECTION_MARK + first, ...rest]) {
        add({ text, corrects: shown[index]!.id, ...(!last && { aside: true }) }, '');
      }
    }
  };
  correct(true);
  for (let index = alignment.heardWords; index < heard.length; index++) {
    const isMarked = index > 0 || shown.some(word => word.opensTurn);
    const turn = (index === alignment.heardWords && channelTurn) || (isMarked ? {} : speakerTurn);
    add({ text: heard[index]!.text, ...turn }, turnMark(turn) + finals[index]!);
  }
  correct(false);
  return { added, wording };
}

/** Returns the wording of shown words. Missed words are added to the shown word before them, at the start to the one after. */
function wordingOf(
  pairs: readonly WordPair[],
  shown: readonly ShownWord[],
  finals: readonly string[],
): Map<number, string> {
  const wording = new Map(shown.map(({ id }) => [id, '']));
  let at = shown[0];
  for (const pair of pairs) {
    if (pair.shown !== undefined) at = shown[pair.shown];
    if (!at || pair.heard === undefined) continue;
    const before = wording.get(at.id)!;
    const text = finals[pair.heard]!;
    wording.set(at.id, before === '' ? text : `${before} ${text}`);
  }
  return wording;
}

/** Adds the marks of turns. That of a word that is not in the transcript stands before the next one. */
function withMarks(
  wording: Map<number, string>,
  shown: readonly ShownWord[],
  speakerTurn: Turn,
): Map<number, string> {
  let waiting = turnMark(speakerTurn);
  for (const [index, word] of shown.entries()) {
    const mark = (index === 0 && waiting) || turnMark(word) || waiting;
    const text = wording.get(word.id)!;
    waiting = text === '' ? mark : '';
    if (text !== '') wording.set(word.id, mark + text);
  }
  return wording;
}

/** A correction of shown words. */
export interface Correction {
  /** Index of the wrong word, or of the word beside the missing one. */
  readonly shown: number;
  /** The correct words. */
  readonly words: readonly string[];
  /** True at the end of the shown words, from where speech continues. */
  readonly last: boolean;
}

/**
 * Returns the corrections of shown words. Superfluous words, and differences in case, punctuation and hyphens only, are not
 * corrected; where a word is missing, the word after it is repeated.
 */
function correctionsOf(
  { pairs }: WordAlignment,
  shown: readonly HypothesisWord[],
  heard: readonly HypothesisWord[],
): readonly Correction[] {
  const corrections: Correction[] = [];
  let start = 0;
  while (start < pairs.length) {
    let end = start;
    while (end < pairs.length && !isRight(pairs[end]!, shown, heard)) end++;
    const right = wordsIn(heard, pairs.slice(start, end), 'heard');
    const wrong = wordsIn(shown, pairs.slice(start, end), 'shown');
    if (right.length > 0 && letters(wrong) !== letters(right)) {
      const next = pairs[end];
      const words = wrong.length === 0 && next ? [...right, heard[next.heard!]!] : right;
      const at = pairs.slice(start).find(pair => pair.shown !== undefined)!;
      corrections.push({
        shown: at.shown!,
        words: words.map(word => word.text),
        last: end === pairs.length,
      });
    }
    start = end + 1;
  }
  return corrections;
}

function isRight(
  pair: WordPair,
  shown: readonly HypothesisWord[],
  heard: readonly HypothesisWord[],
): boolean {
  if (pair.shown === undefined || pair.heard === undefined) return false;
  return shown[pair.shown]!.key === heard[pair.heard]!.key;
}

function wordsIn(
  words: readonly HypothesisWord[],
  pairs: readonly WordPair[],
  side: keyof WordPair,
): readonly HypothesisWord[] {
  return pairs.flatMap(pair => (pair[side] === undefined ? [] : [words[pair[side]]!]));
}

function letters(words: readonly HypothesisWord[]): string {
  const text = words.map(word => word.key).join('');
  return text.replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '');
}
