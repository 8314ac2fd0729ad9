import { alignWords, type WordPair } from './alignWords.ts';
import {
  type CaptionWord,
  CORRECTION_MARK,
  type HypothesisWord,
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
  const { pairs, heardWords } = alignWords(shown, heard, { pending });
  const wording = withMarks(wordingOf(pairs, shown), shown, speakerTurn);
  const added: CaptionWord[] = [];
  const add = (word: Omit<CaptionWord, 'id'>, final: string) => {
    const id = nextId + added.length;
    added.push({ id, ...word });
    wording.set(id, final);
  };
  const corrections = correctionsOf(pairs);
  const correct = (isLast: boolean) => {
    for (const correction of corrections.filter(each => each.isLast === isLast)) {
      for (const [index, { text }] of correction.words.entries()) {
        const marked = index === 0 ? CORRECTION_MARK + text : text;
        add({ text: marked, corrects: correction.shown.id, aside: isLast ? undefined : true }, '');
      }
    }
  };
  correct(true);
  for (const [index, { text }] of heard.slice(heardWords).entries()) {
    const isMarked = heardWords + index > 0 || shown.some(word => word.opensTurn);
    const turn = (index === 0 && channelTurn) || (isMarked ? {} : speakerTurn);
    add({ text, ...turn }, turnMark(turn) + text);
  }
  correct(false);
  return { added, wording };
}

/** Returns the wording of shown words. Missed words are added to the shown word before them, at the start to the one after. */
function wordingOf(
  pairs: readonly WordPair<ShownWord>[],
  shown: readonly ShownWord[],
): ReadonlyMap<number, string> {
  const wording = new Map(shown.map(({ id }) => [id, '']));
  let at = shown[0];
  for (const pair of pairs) {
    at = pair.shown ?? at;
    if (!at || !pair.heard) continue;
    const before = wording.get(at.id);
    wording.set(at.id, before ? `${before} ${pair.heard.text}` : pair.heard.text);
  }
  return wording;
}

/** Adds the marks of turns. That of a word that is not in the transcript stands before the next one. */
function withMarks(
  wording: ReadonlyMap<number, string>,
  shown: readonly ShownWord[],
  speakerTurn: Turn,
): Map<number, string> {
  const marked = new Map<number, string>();
  let waiting = turnMark(speakerTurn);
  for (const [index, word] of shown.entries()) {
    const mark = (index === 0 && waiting) || turnMark(word) || waiting;
    const text = wording.get(word.id) ?? '';
    waiting = text === '' ? mark : '';
    marked.set(word.id, text === '' ? '' : mark + text);
  }
  return marked;
}

/** A correction of shown words. */
interface Correction {
  /** The wrong word, or the word beside the missing one. */
  readonly shown: ShownWord;
  /** The correct words. */
  readonly words: readonly HypothesisWord[];
  /** True at the end of the shown words, from where speech continues. */
  readonly isLast: boolean;
}

/**
 * Returns the corrections of shown words. Superfluous words, and differences in case, punctuation and hyphens only, are not
 * corrected; where a word is missing, the word after it is repeated.
 */
function correctionsOf(pairs: readonly WordPair<ShownWord>[]): readonly Correction[] {
  const corrections: Correction[] = [];
  for (let start = 0; start < pairs.length; ) {
    const next = pairs.findIndex((pair, index) => index >= start && isRight(pair));
    const end = next < 0 ? pairs.length : next;
    const words = pairs.slice(start, end).flatMap(({ heard }) => heard ?? []);
    const wrong = pairs.slice(start, end).flatMap(({ shown }) => shown ?? []);
    const right = pairs[end];
    const [shown = right?.shown] = wrong;
    if (shown && words.length > 0 && letters(wrong) !== letters(words)) {
      const repeated = wrong.length === 0 && right?.heard ? [right.heard] : [];
      corrections.push({ shown, words: [...words, ...repeated], isLast: end === pairs.length });
    }
    start = end + 1;
  }
  return corrections;
}

function isRight({ shown, heard }: WordPair<ShownWord>): boolean {
  return shown !== undefined && shown.key === heard?.key;
}

function letters(words: readonly HypothesisWord[]): string {
  const text = words.map(word => word.key).join('');
  return text.replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '');
}
