import { isAbbreviation } from '../../transcript/text/sentences.ts';
import { withCapital } from '../../transcript/text/words.ts';
import type { SpelledWord } from '../phrases/spellings.ts';
import type { SpokenUtterance, WrittenWord } from '../punctuator.ts';
import type { RecognizedWord } from '../recognizer.ts';
import { markBetween } from './punctuator.ts';
import { loadSentenceModel } from './sentenceModel.ts';
import { endsSentence } from './writtenUnits.ts';

/** A written word: leading marks but those that open a Spanish sentence, the word, and trailing marks. */
const WRITTEN = /^[^\p{L}\p{N}$£€#@&¿¡]*(.*?)([^\p{L}\p{N}%'’+#]*)$/u;
/** A word of an engine that writes sentences. */
type OwnWord = RecognizedWord & { readonly written: string };

/** Returns whether an engine writes each word itself. */
export function areWritten(words: readonly RecognizedWord[]): words is readonly OwnWord[] {
  return words.every(({ written }) => written !== undefined);
}

/**
 * Returns the capitals and marks of the engine, one for each word.
 *
 * The engine begins each utterance with a capital. Where a sentence continues, that capital is removed,
 * unless the word always has one.
 *
 * Where the next utterance is known and the engine ends no sentence here, the text and the pause may end one.
 *
 * @param utterance the same words, and those of the sentence before and after them
 */
export async function engineWriting(
  words: readonly OwnWord[],
  utterance: SpokenUtterance,
): Promise<readonly WrittenWord[]> {
  const { before = [] } = utterance;
  const all = withMarksBehind(words);
  const [first] = all;
  if (!first) return all;
  const opening = before.length === 0 ? withCapital(first.value) : await goingOn(words, first, before);
  const mark = await lastMark(all, utterance);
  return all.map((word, index) => ({
    value: index === 0 ? opening : word.value,
    mark: index === all.length - 1 ? mark : word.mark,
  }));
}

async function lastMark(
  all: readonly WrittenWord[],
  utterance: SpokenUtterance,
): Promise<WrittenWord['mark']> {
  const mark = all.at(-1)?.mark ?? '';
  if (endsSentence(mark)) return mark;
  // The speaker stops, or another one goes on.
  if (utterance.after?.length === 0) return '.';
  const opening = all.findLastIndex(word => endsSentence(word.mark)) + 1;
  const { words, before, ...rest } = utterance;
  const sentence = { words: words.slice(opening), before: opening > 0 ? [] : before };
  return (await markBetween({ ...rest, ...sentence })) || mark;
}

/** Moves the mark of words that are written as one to the last of them. */
function withMarksBehind(words: readonly OwnWord[]): readonly WrittenWord[] {
  const all = words.map(({ written, value }) => writtenWord(written || value));
  for (let index = 1; index < all.length; index++) {
    if (words[index]!.written !== '') continue;
    all[index] = { value: all[index]!.value, mark: all[index - 1]!.mark };
    all[index - 1] = { value: all[index - 1]!.value, mark: '' };
  }
  return all;
}

/**
 * Joins words that the engine writes as one, such as 21 for "twenty one", to one word with that spelling.
 * Words spelled by phrases stay.
 */
export function joinedAsWritten(words: readonly SpelledWord[]): readonly SpelledWord[] {
  const joined: SpelledWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isPart = word.written === '' && word.spelling === undefined && last?.written;
    if (isPart)
      joined[joined.length - 1] = { ...last, value: `${last.value} ${word.value}`, endFrame: word.endFrame };
    else joined.push(word);
  }
  return joined.map(word =>
    word.spelling === undefined && word.written && /\d| /.test(word.written + word.value)
      ? { ...word, spelling: writtenWord(word.written).value }
      : word,
  );
}

async function goingOn(
  words: readonly OwnWord[],
  first: WrittenWord,
  before: readonly string[],
): Promise<string> {
  const { value } = words[0]!;
  // Several capitals or a figure do not depend on the position of the word.
  if (first.value !== withCapital(value)) return first.value;
  const model = await loadSentenceModel();
  return model.cased(value, before.at(-1), words[1]?.value);
}

function writtenWord(text: string): WrittenWord {
  const [, value = text, marks = ''] = WRITTEN.exec(text) ?? [];
  const isShort = marks.startsWith('.') && isAbbreviation(value);
  if (isShort) return { value: `${value}.`, mark: markIn(marks.slice(1)) };
  return { value, mark: markIn(marks) };
}

/** Returns the mark in some characters. An ellipsis ends no sentence. */
function markIn(marks: string): WrittenWord['mark'] {
  if (/\.\.|…/.test(marks)) return '';
  const found = /[.?!]/.exec(marks)?.[0] ?? (/[,;:]/.test(marks) ? ',' : '');
  return found as WrittenWord['mark'];
}
