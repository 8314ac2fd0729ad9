import { readFileSync } from 'node:fs';
import type { SpokenUtterance, SpokenWord } from '../../src/engines/punctuator.ts';
import { type MarkedWord, markedWords } from './markedWords.ts';

const HELD_OUT = new URL('../fixtures/text/held-out.txt', import.meta.url);

/** Text in the public domain that no model has learnt: the opening of a novel, and of an address of 2013. */
export function heldOutText(): Readonly<Record<'novel' | 'speech', readonly MarkedWord[]>> {
  const [speech = '', ...novel] = readFileSync(HELD_OUT, 'utf8').trim().split('\n\n');
  return { novel: novel.flatMap(markedWords), speech: markedWords(speech) };
}

/** Pauses of a speaker: the shares of 0, 0.18, 0.4, 0.7 and 1.2 s. */
export interface Speaker {
  readonly none: readonly number[];
  readonly comma: readonly number[];
  readonly end: readonly number[];
}

/** Invented, not measured: from one who stops at each full stop to one who seldom does. */
export const SPEAKERS: Readonly<Record<'slow' | 'usual' | 'fast', Speaker>> = {
  slow: {
    none: [0.9, 0.05, 0.03, 0.01, 0.01],
    comma: [0.25, 0.15, 0.3, 0.2, 0.1],
    end: [0.02, 0.03, 0.1, 0.35, 0.5],
  },
  usual: {
    none: [0.85, 0.05, 0.06, 0.03, 0.01],
    comma: [0.45, 0.12, 0.2, 0.15, 0.08],
    end: [0.12, 0.06, 0.17, 0.3, 0.35],
  },
  fast: {
    none: [0.88, 0.06, 0.04, 0.015, 0.005],
    comma: [0.65, 0.15, 0.12, 0.06, 0.02],
    end: [0.35, 0.15, 0.2, 0.2, 0.1],
  },
};

const PAUSES = [0, 0.18, 0.4, 0.7, 1.2];
/** From here on a recogniser takes a pause for the end of an utterance. */
export const UTTERANCE_PAUSE = 0.6;
const WORD_SECONDS = 0.3;

/** The words in time, as a speaker might say them; the same each time. */
export function spokenWords(words: readonly MarkedWord[], speaker: Speaker): readonly Required<SpokenWord>[] {
  let seed = 7;
  let now = 0;
  return words.map(({ value, mark }) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const word = { value, ts: now, endTs: now + WORD_SECONDS };
    now =
      word.endTs + pauseAt(seed / 2 ** 32, speaker[mark === '' ? 'none' : mark === ',' ? 'comma' : 'end']);
    return word;
  });
}

function pauseAt(place: number, shares: readonly number[]): number {
  let sum = 0;
  for (const [kind, share] of shares.entries()) {
    sum += share;
    if (place < sum) return PAUSES[kind]!;
  }
  return PAUSES.at(-1)!;
}

/** The words as a recogniser parts them. */
export function utterancesIn(
  words: readonly Required<SpokenWord>[],
): readonly Pick<SpokenUtterance, 'words'>[] {
  const starts = [...words.keys()].filter(
    at => at === 0 || words[at]!.ts - words[at - 1]!.endTs >= UTTERANCE_PAUSE,
  );
  return starts.map((start, index) => ({ words: words.slice(start, starts[index + 1]) }));
}
