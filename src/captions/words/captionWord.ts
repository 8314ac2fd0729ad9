import { SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import { type Token, wordKey } from '../../transcript/text/tokens.ts';

/** A shown word, which never changes. */
export interface CaptionWord {
  /** Number of the word, counted from 0. */
  readonly id: number;
  readonly text: string;
  /** Start in seconds of the audio, of a word that came with its final and has one. */
  readonly ts?: number | undefined;
  /** True for the first word of a new speaker, or of another named channel. */
  readonly opensTurn?: boolean;
  /** True for the first word of another paragraph of the same speaker. */
  readonly opensParagraph?: boolean;
  /** Name of the speaker or channel, with `opensTurn`. */
  readonly speaker?: string;
  /** Id of the wrong word that this word corrects; shown only while the wrong one is visible. */
  readonly corrects?: number;
}

/** Text before a correction. */
export const CORRECTION_MARK = '-- ';

/** The start of a turn. */
export type Turn = Pick<CaptionWord, 'opensTurn' | 'opensParagraph' | 'speaker'>;

/** Returns the text before the first word of a turn, `>> ` or `>> Anna: `; empty for other words. */
export function turnMark({ opensTurn, speaker }: Turn): string {
  if (!opensTurn) return '';
  return speaker === undefined ? SPEAKER_MARK : `${SPEAKER_MARK}${speaker}: `;
}

/** A word of a hypothesis. */
export interface HypothesisWord {
  /** The normalised form of the word. */
  readonly key: string;
  readonly text: string;
  /** Start in seconds, with detailed partials. */
  readonly ts?: number;
  /** End in seconds, in finals and detailed partials. */
  readonly endTs?: number;
}

/** A shown word of an unfinished utterance. */
export interface ShownWord extends HypothesisWord, Turn {
  readonly id: number;
  /** Seconds of audio after which the word was known. */
  readonly saidBefore: number;
}

export const keyOf = (word: HypothesisWord) => word.key;

export function hypothesisWordOf({ text, ts, endTs }: Token): HypothesisWord {
  return { text, key: wordKey(text), ts, endTs };
}
