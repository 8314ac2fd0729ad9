import { SPEAKER_MARK } from '../transcript/cues/cue.ts';
import { alignWords, type WordAlignment, type WordPair } from './alignWords.ts';
import { type CaptionWord, CORRECTION_MARK, type Heard, keyOf, type Shown } from './captionWord.ts';

export interface FinishedUtterance {
  /** What is shown from now on: words beyond those that are, and corrections of those. */
  readonly added: readonly CaptionWord[];
  /** How all its words read in the transcript, by id; empty for a word that is not in it. */
  readonly wording: ReadonlyMap<number, string>;
}

interface FinishOptions {
  readonly nextId: number;
  /** Another speaker begins. */
  readonly opensTurn: boolean;
  /** Words that were heard after those that are shown. */
  readonly pending: readonly Heard[];
}

/**
 * Ends an utterance by its final. A correction of the last words that are shown stands before what is new, as speech
 * goes on from it; other corrections stand after.
 */
export function finishUtterance(
  shown: readonly Shown[],
  heard: readonly Heard[],
  { nextId, opensTurn, pending }: FinishOptions,
): FinishedUtterance {
  const alignment = alignWords(shown.map(keyOf), heard.map(keyOf), { pending: pending.map(keyOf) });
  const finals = heard.map(({ text }, index) => (opensTurn && index === 0 ? SPEAKER_MARK + text : text));
  const wording = wordingOf(alignment.pairs, shown, finals);
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
    const opens = opensTurn && index === 0;
    add({ text: heard[index]!.text, ...(opens && { opensTurn }) }, finals[index]!);
  }
  correct(false);
  return { added, wording };
}

/** Words that were missed stand with the shown word before them, or at the very beginning with the one after. */
function wordingOf(
  pairs: readonly WordPair[],
  shown: readonly Shown[],
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

/** Words that were shown and turned out to be others. */
export interface Correction {
  /** Index of a shown word that is wrong, or beside which one is missing. */
  readonly shown: number;
  /** The right words. */
  readonly words: readonly string[];
  /** Whether it stands at the end of what is shown, so that speech goes on from it. */
  readonly last: boolean;
}

/**
 * What has to be corrected in words that are shown. Words that should not be there, and other spellings of the same
 * letters (case, marks, hyphens), are let be; where a word is missing the one after it is repeated.
 */
export function correctionsOf(
  { pairs }: WordAlignment,
  shown: readonly Heard[],
  heard: readonly Heard[],
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

function isRight(pair: WordPair, shown: readonly Heard[], heard: readonly Heard[]): boolean {
  if (pair.shown === undefined || pair.heard === undefined) return false;
  return shown[pair.shown]!.key === heard[pair.heard]!.key;
}

function wordsIn(
  words: readonly Heard[],
  pairs: readonly WordPair[],
  side: keyof WordPair,
): readonly Heard[] {
  return pairs.flatMap(pair => (pair[side] === undefined ? [] : [words[pair[side]]!]));
}

function letters(words: readonly Heard[]): string {
  const text = words.map(word => word.key).join('');
  return text.replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '');
}
