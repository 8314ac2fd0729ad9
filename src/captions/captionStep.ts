import type { Cue } from '../transcript/cues/cue.ts';
import type { Transcript } from '../transcript/model/model.ts';
import type { CaptionWord } from './words/captionWord.ts';

/** Words that became certain, and what follows from them. */
export interface WordsStep {
  readonly type: 'words';
  /** Newly shown words, which never change. */
  readonly added: readonly CaptionWord[];
  /** Uncertain words after them. From step to step, words are appended or removed at its end, but never replaced. */
  readonly tail: readonly string[];
  /**
   * Wording of shown words in the transcript, by id; empty for a word that the transcript does not have. Words of an utterance
   * without a final are worded as shown, and reworded when the utterance is recognised again.
   */
  readonly wording: ReadonlyMap<number, string>;
  /** Ends of final words that were right when they were shown, in seconds of the audio, by id. */
  readonly endTs?: ReadonlyMap<number, number>;
}

/** A caption of final text with its time of day. */
export interface LiveCue extends Cue {
  /** Milliseconds since 1970-01-01 UTC at which `ts` was spoken. */
  readonly spokenAtMs: number;
  /** Start of its speech in seconds of the audio, if the caption is shown at another time. Default `ts`. */
  readonly speechTs?: number;
}

/** Typed text is taken back: all words and captions whose speech begins at this time or later, in seconds of the audio. */
export interface RetractStep {
  readonly type: 'retract';
  readonly fromTs: number;
}

/** Returns whether the speech of a word or caption, at a time in seconds, is not taken back; also without a time. */
export const isKept = (ts: number | undefined, { fromTs }: RetractStep) => ts === undefined || ts < fromTs;

/** One change of live captions. All outputs get the same steps, each after its own delay. */
export type CaptionStep =
  | WordsStep
  | RetractStep
  /** A text on a row of its own, such as that of an outage; later words begin a new row. */
  | { readonly type: 'notice'; readonly text: string }
  /** The screen is cleared, after silence. */
  | { readonly type: 'clear' }
  /** Captions of final text, in order. They never change and never overlap. */
  | { readonly type: 'cues'; readonly cues: readonly LiveCue[] }
  /** The transcript with all final text so far, repairs included. */
  | { readonly type: 'transcript'; readonly transcript: Transcript }
  /** Everything that was shown is removed at once, history included. Later steps show text again. */
  | { readonly type: 'off' }
  /** The last step. Rows that are not settled are complete now. */
  | { readonly type: 'end' };
