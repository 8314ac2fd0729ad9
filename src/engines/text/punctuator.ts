import { setImmediate } from 'node:timers/promises';
import type { Punctuator, SpokenUtterance, WrittenWord } from '../punctuator.ts';
import { pauseAtEnd, pausesBehind, UTTERANCE_END, weighed } from './pauses.ts';
import { endMarkOf, withCapital } from './plainSentences.ts';
import { loadSentenceModel, type MarkChances, type SentenceModel } from './sentenceModel.ts';

/** How likely a mark has to be, by measurement on text that the model has not seen. */
const LIKELY = {
  end: 0.35,
  comma: 0.35,
  /** The end of an utterance: a full stop too many reads better than one too few. */
  lastEnd: 0.3,
  question: 0.5,
} as const;
/** An utterance of so few words is not parted from the next by a comma. */
const ANSWER_WORDS = 2;
/** Words that are looked at before others get their turn. */
const WORDS_AT_ONCE = 1000;

/**
 * English marks and capitals by pauses and by a small model of public-domain text; nothing to install.
 *
 * The end of an utterance ends its sentence only where the words allow it: "we went to the" goes on. Full stops, commas
 * and question marks; no exclamation marks.
 *
 * @example
 * await using punctuator = createPunctuator();
 * const words = 'how are you'.split(' ').map(value => ({ value }));
 * await punctuator.punctuate({ words }); // How are you?
 */
export function createPunctuator(): Punctuator {
  const close = async () => {};
  return {
    name: 'english-text',
    languages: ['en'],
    async punctuate(utterance, { signal } = {}) {
      signal?.throwIfAborted();
      const model = await loadSentenceModel();
      const marks = await marksOf(utterance, model, signal);
      return withCapitals(utterance, marks, model);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Mark = WrittenWord['mark'];

async function marksOf(
  utterance: SpokenUtterance,
  model: SentenceModel,
  signal: AbortSignal | undefined,
): Promise<readonly Mark[]> {
  const { words, before = [], after = [], goesOn = false } = utterance;
  const values = [...before, ...words.map(({ value }) => value), ...after.map(({ value }) => value)];
  const pauses = [...pausesBehind(words)];
  const [next] = after;
  if (next && words.length > 0) {
    const last = words.at(-1)!;
    pauses.push(goesOn ? pausesBehind([last, next])[0]! : pauseAtEnd(last, next));
  }
  const marks: Mark[] = [];
  let opening = 0;
  for (const index of words.keys()) {
    if (index % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) {
      await setImmediate();
      signal?.throwIfAborted();
    }
    const at = before.length + index;
    const pause = pauses[index];
    const mark = pause
      ? likelyMark(weighed(model.behind(values, at), pause), LIKELY.end)
      : lastMark(utterance, values, model);
    marks.push(mark === '.' ? endMark(values.slice(opening, at + 1), model) : mark);
    if (mark === '.') opening = at + 1;
  }
  return marks;
}

/** Behind the last word, where nothing is known of what comes next. */
function lastMark({ after, goesOn }: SpokenUtterance, values: readonly string[], model: SentenceModel): Mark {
  if (after) return '.';
  if (goesOn) return '';
  const chances = weighed(model.atEnd(values), UTTERANCE_END);
  // "Yes" and a pause is an answer, not the opening of one.
  if (values.length <= ANSWER_WORDS) return chances.none < 1 - LIKELY.lastEnd ? '.' : '';
  return likelyMark(chances, LIKELY.lastEnd);
}

function endMark(sentence: readonly string[], model: SentenceModel): Mark {
  return model.asks(sentence) > LIKELY.question ? '?' : endMarkOf(sentence);
}

function likelyMark({ comma, end }: MarkChances, likelyEnd: number): '.' | ',' | '' {
  if (end > likelyEnd) return '.';
  return comma > LIKELY.comma ? ',' : '';
}

function withCapitals(
  { words, before = [], after = [] }: SpokenUtterance,
  marks: readonly Mark[],
  model: SentenceModel,
): readonly WrittenWord[] {
  return words.map(({ value }, index) => {
    const isFirst = index === 0 ? before.length === 0 : /[.?]/.test(marks[index - 1]!);
    const isApart = marks[index] !== '';
    const last = index === 0 ? before.at(-1) : marks[index - 1] === '' ? words[index - 1]!.value : undefined;
    const next = isApart ? undefined : (words[index + 1] ?? after[0])?.value;
    const cased = model.cased(value, last, next);
    return { value: isFirst ? withCapital(cased) : cased, mark: marks[index]! };
  });
}
