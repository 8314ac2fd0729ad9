import { setImmediate } from 'node:timers/promises';
import { withCapital } from '../../transcript/text/words.ts';
import type { Punctuator, SpokenUtterance, SpokenWord, WrittenWord } from '../punctuator.ts';
import { endMarkOf } from './plainSentences.ts';
import { loadSentenceModel, type MarkChances, type SentenceModel } from './sentenceModel.ts';

/** Probabilities from which a mark is set, tuned on text outside the training data. */
const LIKELY = {
  end: 0.35,
  comma: 0.35,
  /** End of an utterance: an extra full stop reads better than a missing one. */
  lastEnd: 0.3,
  /** Between two utterances, where the engine had the pause in its audio and found no end. */
  clearEnd: 0.5,
  question: 0.5,
} as const;
/** Words of an utterance up to which no comma follows it. */
const ANSWER_WORDS = 2;
/** Words that are processed before the event loop gets a turn. */
const WORDS_AT_ONCE = 1000;

/**
 * Creates a punctuator for English that uses pauses and a small model of public-domain text, with nothing to
 * install.
 *
 * The end of an utterance ends its sentence only where the words allow it: "we went to the" continues. It
 * sets full stops, commas and question marks, but no exclamation marks.
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

/** Returns the mark between a part of a sentence and the next utterance; empty when it is not clear. */
export async function markBetween({
  words,
  before = [],
  after = [],
  goesOn = false,
}: SpokenUtterance): Promise<Mark> {
  const [last, next] = [words.at(-1), after[0]];
  if (!last || !next) return '';
  const model = await loadSentenceModel();
  const sentence = [...before, ...words.map(({ value }) => value)];
  const values = [...sentence, ...after.map(({ value }) => value)];
  const chances = weighed(model.behind(values, sentence.length - 1), pauseAfter(last, next, goesOn));
  const mark = likelyMark(chances, LIKELY.clearEnd);
  return mark === '.' ? endMark(sentence, model) : mark;
}

async function marksOf(
  utterance: SpokenUtterance,
  model: SentenceModel,
  signal: AbortSignal | undefined,
): Promise<readonly Mark[]> {
  const { words, before = [], after = [], goesOn = false } = utterance;
  const values = [...before, ...words.map(({ value }) => value), ...after.map(({ value }) => value)];
  const pauses = [...pausesBehind(words)];
  const [last, next] = [words.at(-1), after[0]];
  if (last && next) pauses.push(pauseAfter(last, next, goesOn));
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

/** Returns the mark after the last word when the next words are unknown. */
function lastMark({ after, goesOn }: SpokenUtterance, values: readonly string[], model: SentenceModel): Mark {
  if (after) return '.';
  if (goesOn) return '';
  const chances = weighed(model.atEnd(values), UTTERANCE_END);
  // "Yes" before a pause is an answer, not the start of one.
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

/** Upper limits of the kinds of pauses in seconds; the last has none. */
const PAUSE_LIMITS = [0.1, 0.25, 0.5, 0.9, Infinity] as const;

/** Frequencies of the kinds of pauses without a mark, at a comma, and at the end of a sentence. */
const SHARES: Readonly<Record<keyof MarkChances, readonly number[]>> = {
  none: [0.85, 0.05, 0.06, 0.03, 0.01],
  comma: [0.45, 0.12, 0.2, 0.15, 0.08],
  end: [0.12, 0.06, 0.17, 0.3, 0.35],
};
/** Seconds below which a pause may be a rounding error of the engine. */
const SHORTEST_PAUSE = 0.1;
/** Index of the shortest kind of pause that ends an utterance. */
const END_KIND = 3;

/** Evidence of a pause for a mark: the factor of each probability. */
type PauseEvidence = MarkChances;

const NO_EVIDENCE: PauseEvidence = { none: 1, comma: 1, end: 1 };
/** Evidence of a pause that ends an utterance. */
const UTTERANCE_END: PauseEvidence = evidenceOf(share =>
  share.slice(END_KIND).reduce((sum, one) => sum + one),
);

/**
 * Returns the evidence of the pause after each word but the last.
 *
 * Engines that extend each word to the next show no pauses; their times are no evidence.
 */
function pausesBehind(words: readonly SpokenWord[]): readonly PauseEvidence[] {
  const pauses = words.slice(1).map((word, index) => pauseBetween(words[index]!, word));
  const arePauses = pauses.some(pause => pause !== undefined && pause >= SHORTEST_PAUSE);
  return pauses.map(pause => {
    if (!arePauses || pause === undefined) return NO_EVIDENCE;
    const kind = kindOf(pause);
    return evidenceOf(shares => shares[kind]!);
  });
}

/** Returns the evidence of the pause between two utterances: a long one, whatever the times of the words say, except for a cut. */
function pauseAfter(last: SpokenWord, next: SpokenWord, isCut: boolean): PauseEvidence {
  if (isCut) return pausesBehind([last, next])[0] ?? NO_EVIDENCE;
  const pause = pauseBetween(last, next);
  const kind = pause === undefined ? 0 : kindOf(pause);
  return kind < END_KIND ? UTTERANCE_END : evidenceOf(shares => shares[kind]!);
}

function pauseBetween({ endTs }: SpokenWord, { ts }: SpokenWord): number | undefined {
  return ts === undefined || endTs === undefined ? undefined : ts - endTs;
}

function kindOf(pause: number): number {
  return PAUSE_LIMITS.findIndex(limit => pause < limit);
}

/** Combines the probabilities by text and by pause (Bayes, assuming independence given the mark). */
function weighed(chances: MarkChances, evidence: PauseEvidence): MarkChances {
  const none = chances.none * evidence.none;
  const comma = chances.comma * evidence.comma;
  const end = chances.end * evidence.end;
  const sum = none + comma + end;
  return { none: none / sum, comma: comma / sum, end: end / sum };
}

function evidenceOf(choose: (shares: readonly number[]) => number): PauseEvidence {
  return { none: choose(SHARES.none), comma: choose(SHARES.comma), end: choose(SHARES.end) };
}
