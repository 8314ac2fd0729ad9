import { isFunctionWord } from '../../transcript/cues/breakCost.ts';
import { isAbbreviation } from '../../transcript/text/sentences.ts';
import { isHesitation } from '../../transcript/text/words.ts';
import { STABILIZER_DEFAULTS } from './agreement.ts';
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
  /** Wording of all its words in the transcript, by id; empty for a word that the transcript does not have. */
  readonly wording: ReadonlyMap<number, string>;
  /** Ends of the words that are right, in seconds, by id. */
  readonly endTs: ReadonlyMap<number, number>;
}

interface FinishOptions {
  readonly nextId: number;
  /** Set when a new speaker begins. */
  readonly speakerTurn?: Turn;
  /** Set when words of another channel are the last ones on the screen. */
  readonly channelTurn?: Turn;
  /** Words of the hypothesis after the shown ones. */
  readonly pending: readonly HypothesisWord[];
  /** ISO 639-1 code. */
  readonly language?: string;
}

/** Ends an utterance with its final. A correction of the last shown words comes before the new words, which continue it. */
export function finishUtterance(
  shown: readonly ShownWord[],
  heard: readonly HypothesisWord[],
  { nextId, speakerTurn = {}, channelTurn, pending, language = STABILIZER_DEFAULTS.language }: FinishOptions,
): FinishedUtterance {
  const { pairs, heardWords } = alignWords(shown, heard, { pending });
  const wording = withMarks(wordingOf(pairs, shown), shown, speakerTurn);
  const endTs = new Map<number, number>();
  const time = (id?: number, end?: number) => {
    if (id !== undefined && end !== undefined) endTs.set(id, end);
  };
  for (const { shown, heard } of pairs.filter(isRight)) time(shown?.id, heard?.endTs);
  const added: CaptionWord[] = [];
  const add = (word: Omit<CaptionWord, 'id'>, final: string) => {
    const id = nextId + added.length;
    added.push({ id, ...word });
    wording.set(id, final);
  };
  const correction = correctionOf(pairs, language);
  for (const [index, { text }] of correction?.words.entries() ?? []) {
    add({ text: index === 0 ? CORRECTION_MARK + text : text, corrects: correction?.shown.id }, '');
  }
  for (const [index, { text, ts, endTs: end }] of heard.slice(heardWords).entries()) {
    const isMarked = heardWords + index > 0 || shown.some(word => word.opensTurn);
    const turn = (index === 0 && channelTurn) || (isMarked ? {} : speakerTurn);
    time(nextId + added.length, end);
    add({ text, ts, ...turn }, turnMark(turn) + text);
  }
  return { added, wording, endTs };
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

/** Adds the marks of turns. The mark of a word that the transcript does not have moves to the next word. */
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

/** A correction of the last shown words. */
interface Correction {
  /** The first wrong word. */
  readonly shown: ShownWord;
  /** The words of the correction, which follow a right word. */
  readonly words: readonly HypothesisWord[];
}

/** Maximum number of corrected words: a reader still remembers the first of them. */
const MAX_WRONG = 3;

/**
 * Returns the correction of the last shown words. Earlier words are not corrected: a reader who has gone on would not know where
 * it belongs, and the finished text has the right word.
 */
function correctionOf(pairs: readonly WordPair<ShownWord>[], language: string): Correction | undefined {
  const end = pairs.findLastIndex(isRight);
  const last = pairs.slice(end + 1);
  const wrong = last.flatMap(({ shown }) => shown ?? []);
  const right = last.flatMap(({ heard }) => heard ?? []);
  const [shown] = wrong;
  if (!shown || wrong.length > MAX_WRONG || !changesSense(wrong, right, language)) return undefined;
  return { shown, words: [...pairs.slice(end, end + 1).flatMap(({ heard }) => heard ?? []), ...right] };
}

function isRight({ shown, heard }: WordPair<ShownWord>): boolean {
  return shown !== undefined && shown.key === heard?.key;
}

/**
 * Returns whether a correction changes the meaning: false for figures, spellings, endings, hesitations, abbreviations, function
 * words.
 */
function changesSense(
  wrong: readonly HypothesisWord[],
  right: readonly HypothesisWord[],
  language: string,
): boolean {
  const [before, after] = [lettersOf(wrong), lettersOf(right)];
  return (
    !/\p{N}/u.test(before + after) &&
    !before.startsWith(after) &&
    !after.startsWith(before) &&
    soundOf(before) !== soundOf(after) &&
    !right.every(({ key }) => isHesitation(key) || isAbbreviation(key) || isFunctionWord(key, language))
  );
}

function lettersOf(words: readonly HypothesisWord[]): string {
  const text = words.map(word => word.key).join('');
  return text.replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '');
}

/** Returns the letters that variants of a spelling share: without inner vowels, doubled letters, and z for s. */
const soundOf = (letters: string) =>
  letters
    .replaceAll('z', 's')
    .replace(/(?<=.)[aeiou]/g, '')
    .replace(/(.)\1/g, '$1');
