import { longestRise } from '../../transcript/longestRise.ts';
import { acceptedRuns, type HeardSound, type HeardTextWord } from './heardRuns.ts';
import type { SpeechPiece } from './speechPieces.ts';

/** Part of a text, by the numbers of its words, and where in it speech is likely to go on. */
export interface TextWindow {
  readonly from: number;
  readonly to: number;
  readonly expected: number;
}

/** Hears what of a part of the text is said in a piece of speech: its words and other sounds, in order of time. */
export type Listen = (window: TextWindow, samples: Int16Array) => readonly HeardSound[];

/** Words before the expected one that are looked for, too: what was taken for later ones may have been wrong. */
const BEHIND_WORDS = 30;
/** More than are said in a piece. */
const AHEAD_WORDS = 130;
/** Where nothing was found, twice as many words are looked for in the next piece; memory goes with them. */
const MAX_AHEAD_WORDS = 1040;
/** Pieces without a word of the text that are kept to be searched again once it is known what comes after them. */
const MAX_MISSED = 6;

/** Follows speech through a text, piece by piece. */
export class TextSearch {
  readonly #words: number;
  readonly #listen: Listen;
  readonly #heard: HeardTextWord[] = [];
  #expected = 0;
  /** Pieces in a row in which nothing was found. */
  #lost = 0;
  #missed: SpeechPiece[] = [];

  /** @param words how many the text has */
  constructor(words: number, listen: Listen) {
    this.#words = words;
    this.#listen = listen;
  }

  /** Searches the next piece. */
  take(piece: SpeechPiece): void {
    if (this.#words === 0) return;
    const before = this.#expected;
    const heard = this.#hear(piece, this.#window());
    const first = heard[0];
    if (!first) {
      this.#lost++;
      this.#missed.push(piece);
      if (this.#missed.length > MAX_MISSED) this.#missed.shift();
      return;
    }
    for (const missed of this.#missed) {
      const found = this.#hear(missed, { from: this.#rest(before), to: first.word, expected: before });
      this.#heard.push(...found);
    }
    this.#heard.push(...heard);
    this.#expected = heard.at(-1)!.word + 1;
    this.#lost = 0;
    this.#missed = [];
  }

  /** The words that were found, in the order of the text and of time. */
  found(): readonly HeardTextWord[] {
    const rise = longestRise(this.#heard.map(({ word }) => word)).map(index => this.#heard[index]!);
    return rise.filter(({ word }, index) => word !== rise[index - 1]?.word);
  }

  #hear(piece: SpeechPiece, window: TextWindow): readonly HeardTextWord[] {
    if (window.from >= window.to) return [];
    const sounds = this.#listen(window, piece.samples);
    return acceptedRuns(sounds, window.expected).map(heard => ({
      ...heard,
      startFrame: piece.startFrame + heard.startFrame,
      endFrame: piece.startFrame + heard.endFrame,
    }));
  }

  /** Of words that were found before, the last: those of missed pieces come after it. */
  #rest(before: number): number {
    const last = this.#heard.at(-1);
    return last && last.word >= before ? last.word + 1 : before;
  }

  /** Ever more of the text while nothing is found, then one stretch after the other up to its end, and again. */
  #window(): TextWindow {
    const expected = this.#expected;
    const ahead = AHEAD_WORDS * 2 ** this.#lost;
    if (ahead <= MAX_AHEAD_WORDS) {
      return {
        from: Math.max(0, expected - BEHIND_WORDS),
        to: Math.min(this.#words, expected + ahead),
        expected,
      };
    }
    const stretches = Math.ceil((this.#words - expected) / MAX_AHEAD_WORDS) || 1;
    const widenings = Math.log2(MAX_AHEAD_WORDS / AHEAD_WORDS);
    const stretch = (this.#lost - Math.floor(widenings)) % stretches;
    const from = Math.max(0, expected + stretch * MAX_AHEAD_WORDS - BEHIND_WORDS);
    return { from, to: Math.min(this.#words, expected + (stretch + 1) * MAX_AHEAD_WORDS), expected };
  }
}
