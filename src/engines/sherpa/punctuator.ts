import { withCapital } from '../../transcript/text/words.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import type { WorkChannel } from '../process/work.ts';
import type { Punctuator, SpokenUtterance, SpokenWord, WrittenWord } from '../punctuator.ts';
import { plainSentence } from '../text/plainSentences.ts';
import { createSherpaPool } from './sherpaPool.ts';
import type { PunctuationMethods, SherpaTask } from './tasks.ts';

/** Words that are punctuated at once, and the context around them: models see some 200 word pieces. */
const WORDS_AT_ONCE = 60;
const WORDS_BEFORE = 30;
const WORDS_AFTER = 15;
/** Characters of a word that are shown to the model. */
const MAX_CHARACTERS = 40;

/** Marks of Latin and Chinese text. */
const MARKS: Readonly<Record<string, WrittenWord['mark']>> = {
  ',': ',',
  '.': '.',
  '?': '?',
  '!': '!',
  '，': ',',
  '、': ',',
  '。': '.',
  '？': '?',
  '！': '!',
};

/**
 * Creates a punctuator with a model of sherpa-onnx, in a child process.
 *
 * An online model (CNN and BiLSTM) is for English and knows capitals. A CT-transformer is for Chinese and
 * English and knows none: sentences, and English words that always have a capital, get theirs here.
 *
 * @example
 * const punctuator = createSherpaPunctuator(await inspectModel('models/online-punct-en'));
 */
export function createSherpaPunctuator(model: ModelDirectory): Punctuator {
  const knowsCapitals = model.files.bpeVocab !== undefined;
  const pool = createSherpaPool<PunctuationMethods>(model, { maxProcesses: 1 });
  const close = () => pool.close();
  return {
    name: 'sherpa-onnx',
    languages: knowsCapitals ? ['en'] : ['zh', 'en'],
    async punctuate(utterance, { signal } = {}) {
      const channel = await pool.take(punctuationTask(model), { signal });
      try {
        const words = knowsCapitals ? utterance.words : withPlainCapitals(utterance.words);
        const written = await write(channel, { ...utterance, words }, signal);
        return withSentences(utterance, written);
      } finally {
        await channel.release();
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function punctuationTask({ files }: ModelDirectory): SherpaTask {
  const common = { numThreads: 1, provider: 'cpu', debug: 0 };
  const model = files.bpeVocab
    ? { cnnBilstm: files.model, bpeVocab: files.bpeVocab, ...common }
    : { ctTransformer: files.model, ...common };
  return { does: 'punctuate', online: files.bpeVocab !== undefined, config: { model } };
}

/** Punctuates the words part by part, each with its context. */
async function write(
  channel: Pick<WorkChannel<PunctuationMethods>, 'call'>,
  { words, before = [], after = [] }: SpokenUtterance,
  signal?: AbortSignal,
): Promise<readonly WrittenWord[]> {
  const spoken = [...before, ...words.map(({ value }) => value), ...after.map(({ value }) => value)];
  const written: WrittenWord[] = [];
  while (written.length < words.length) {
    const at = before.length + written.length;
    const first = Math.max(0, at - WORDS_BEFORE);
    const last = Math.min(at + WORDS_AT_ONCE, before.length + words.length);
    const values = spoken.slice(first, last + WORDS_AFTER);
    const looked = values.map(value => [...value].slice(0, MAX_CHARACTERS).join(''));
    const text = await channel.call('punctuate', [looked.join(' ')], { signal });
    const marked = readMarks(looked, text).map(({ value, mark }, index) => ({
      value: value + values[index]!.slice(value.length),
      mark,
    }));
    written.push(...marked.slice(at - first, last - first));
  }
  return written;
}

/** Adds the capitals of English words that always have one. */
function withPlainCapitals(words: readonly SpokenWord[]): readonly SpokenWord[] {
  const inside = { words, before: [''], goesOn: true };
  return plainSentence(inside).map(({ value }) => ({ value }));
}

/** Adds a capital at the start of each sentence, and keeps an end mark only where the sentence can end. */
function withSentences(
  { before = [], after, goesOn }: SpokenUtterance,
  written: readonly WrittenWord[],
): readonly WrittenWord[] {
  return written.map(({ value, mark }, index) => {
    const opens = index === 0 ? before.length === 0 : /[.?!]/.test(written[index - 1]!.mark);
    const isLast = index === written.length - 1;
    return { value: opens ? withCapital(value) : value, mark: isLast ? lastMark(mark) : mark };
  });

  function lastMark(mark: WrittenWord['mark']): WrittenWord['mark'] {
    if (after?.length === 0) return mark === '' || mark === ',' ? '.' : mark;
    return goesOn && !after ? '' : mark;
  }
}

/**
 * Finds words in a text with marks and capitals. Other changes of the model are ignored: spaces or marks
 * within a word, and missing words at the end.
 */
function readMarks(words: readonly string[], text: string): readonly WrittenWord[] {
  const characters = [...text];
  let at = 0;
  return words.map(word => {
    const value = [...word].map(character => {
      let found = at;
      while (!isSame(characters[found], character) && isBetween(characters[found])) found += 1;
      if (!isSame(characters[found], character)) return character;
      at = found + 1;
      return characters[found]!;
    });
    const mark = MARKS[characters[at] ?? ''] ?? '';
    return { value: value.join(''), mark };
  });
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function isBetween(character: string | undefined): boolean {
  return character !== undefined && (/\s/.test(character) || character in MARKS);
}
