import { longestRise } from '../../transcript/longestRise.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { acceptedRuns, type HeardSound, type HeardTextWord } from './heardRuns.ts';
import type { SpeechPiece } from './speechPieces.ts';

/** Part of a text, by the numbers of its words, and where in it speech is likely to go on. */
export interface TextWindow {
  readonly from: number;
  readonly to: number;
  readonly expected: number;
}

/** What can be told of a piece of speech. */
export interface Listener {
  /** The words from one on, when nothing but them is said; cheap. Nothing when it may be something else. */
  follow(from: number, to: number, samples: Int16Array): readonly HeardTextWord[];
  /** What of a part of the text is said: its words and other sounds, in order of time. Takes time with the window. */
  look(window: TextWindow, samples: Int16Array): readonly HeardSound[];
}

/** Nobody says more, in a piece of some length. */
const WORDS_PER_SECOND = 7;
const MIN_WORDS = 5;
/** Words before the expected one that are looked for, too: what was taken for later ones may have been wrong. */
const BEHIND_WORDS = 10;
const FAR_BEHIND_WORDS = 30;
/** Where speech does not go on nearby. */
const AHEAD_WORDS = 130;
/** Where nothing was found, twice as many words are looked for in the next piece; memory goes with them. */
const MAX_AHEAD_WORDS = 1040;
/** Pieces without a word of the text that are kept to be searched again once it is known what comes after them. */
const MAX_MISSED = 6;

/** Follows speech through a text, piece by piece. */
export class TextSearch {
  readonly #words: number;
  readonly #listener: Listener;
  readonly #heard: HeardTextWord[] = [];
  #expected = 0;
  /** Pieces in a row in which nothing was found. */
  #lost = 0;
  #missed: SpeechPiece[] = [];

  /** @param words how many the text has */
  constructor(words: number, listener: Listener) {
    this.#words = words;
    this.#listener = listener;
  }

  /** Searches the next piece. */
  take(piece: SpeechPiece): void {
    if (this.#words === 0) return;
    const before = this.#expected;
    const heard = this.#search(piece);
    const first = heard[0];
    if (!first) {
      this.#lost++;
      this.#missed.push(piece);
      if (this.#missed.length > MAX_MISSED) this.#missed.shift();
      return;
    }
    for (const missed of this.#missed) {
      const from = Math.max(this.#rest(before), first.word - MAX_AHEAD_WORDS);
      this.#heard.push(...this.#look(missed, { from, to: first.word, expected: before }));
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

  /** First where speech should go on, then nearby, then all around. */
  #search(piece: SpeechPiece): readonly HeardTextWord[] {
    const expected = this.#expected;
    const ahead = MIN_WORDS + Math.ceil((WORDS_PER_SECOND * piece.samples.length) / VOICE_SAMPLE_RATE);
    const to = Math.min(this.#words, expected + ahead);
    const followed = this.#listener.follow(expected, to, piece.samples);
    if (followed.length > 0) return inRecording(piece, followed);
    const near = this.#lost === 0 ? this.#look(piece, this.#around(expected, BEHIND_WORDS, to)) : [];
    return near.length > 0 ? near : this.#look(piece, this.#farWindow());
  }

  #look(piece: SpeechPiece, window: TextWindow): readonly HeardTextWord[] {
    if (window.from >= window.to) return [];
    const sounds = this.#listener.look(window, piece.samples);
    return inRecording(piece, acceptedRuns(sounds, window.expected));
  }

  /** Of words that were found before, the last: those of missed pieces come after it. */
  #rest(before: number): number {
    const last = this.#heard.at(-1);
    return last && last.word >= before ? last.word + 1 : before;
  }

  /** Ever more of the text while nothing is found, then one stretch after the other up to its end, and again. */
  #farWindow(): TextWindow {
    const ahead = AHEAD_WORDS * 2 ** this.#lost;
    if (ahead <= MAX_AHEAD_WORDS)
      return this.#around(this.#expected, FAR_BEHIND_WORDS, this.#expected + ahead);
    const stretches = Math.ceil((this.#words - this.#expected) / MAX_AHEAD_WORDS) || 1;
    const widenings = Math.log2(MAX_AHEAD_WORDS / AHEAD_WORDS);
    const stretch = (this.#lost - Math.floor(widenings)) % stretches;
    const from = this.#expected + stretch * MAX_AHEAD_WORDS;
    return this.#around(from, FAR_BEHIND_WORDS, from + MAX_AHEAD_WORDS);
  }

  #around(word: number, behind: number, to: number): TextWindow {
    return {
      from: Math.max(0, word - behind),
      to: Math.min(this.#words, to),
      expected: this.#expected,
    };
  }
}

function inRecording(piece: SpeechPiece, heard: readonly HeardTextWord[]): readonly HeardTextWord[] {
  return heard.map(({ word, startFrame, endFrame }) => ({
    word,
    startFrame: piece.startFrame + startFrame,
    endFrame: piece.startFrame + endFrame,
  }));
}
