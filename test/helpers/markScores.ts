import type { Punctuator, SpokenWord, WrittenWord } from '../../src/engines/punctuator.ts';
import type { MarkedWord } from './markedWords.ts';
import { utterancesIn } from './pausedText.ts';

/** Precision and recall of a search. */
export interface Found {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Scores of a text that was written again. */
export interface MarkScores {
  /** Full stops, question marks and exclamation marks are one. */
  readonly end: Found;
  readonly comma: Found;
  readonly question: Found;
  /** Share of words within a sentence that have the capitals of the text. */
  readonly capitals: number;
  /** Share of all words that have them. */
  readonly allCapitals: number;
}

type Written = Pick<WrittenWord, 'value' | 'mark'>;

/** The words of all utterances as a punctuator writes them: one by one as in a stream, or with what follows. */
export async function writtenBy(
  punctuate: Punctuator['punctuate'],
  words: readonly Required<SpokenWord>[],
  { isLive = false } = {},
): Promise<readonly Written[]> {
  const all: WrittenWord[] = [];
  let before: string[] = [];
  let at = 0;
  for (const { words: spoken } of utterancesIn(words)) {
    at += spoken.length;
    const written = await punctuate({
      words: spoken,
      before,
      ...(!isLive && { after: words.slice(at, at + 3) }),
    });
    all.push(...written);
    const ended = written.findLastIndex(({ mark }) => mark !== '' && mark !== ',');
    before = [...(ended < 0 ? before : []), ...spoken.slice(ended + 1).map(({ value }) => value)];
  }
  return all;
}

export function scoreMarks(text: readonly MarkedWord[], written: readonly Written[]): MarkScores {
  const isEnd = ({ mark }: Written | MarkedWord) => mark !== '' && mark !== ',';
  const found = (is: (word: Written | MarkedWord) => boolean): Found => {
    const right = text.filter((word, index) => is(word) && is(written[index]!)).length;
    const precision = right / written.filter(is).length;
    const recall = right / text.filter(is).length;
    return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
  };
  const within = text.flatMap((word, index) =>
    index > 0 && !isEnd(text[index - 1]!) && !isEnd(written[index - 1]!)
      ? [{ word, to: written[index]! }]
      : [],
  );
  return {
    end: found(isEnd),
    comma: found(({ mark }) => mark === ','),
    question: found(({ mark }) => mark === '?'),
    capitals: within.filter(({ word, to }) => word.written === to.value).length / within.length,
    allCapitals: text.filter(({ written: own }, index) => own === written[index]!.value).length / text.length,
  };
}
