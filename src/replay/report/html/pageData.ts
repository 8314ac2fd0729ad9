import type { AlignedWord } from '../../score/scoreTranscript.ts';

/** What the script of a page knows of one run. */
export interface PageFile {
  /** Seconds. */
  readonly seconds: number;
  /** Index of its audio in the page; of none null. */
  readonly audio: number | null;
  readonly words: readonly PageWord[];
  readonly spans: readonly PageSpan[];
}

/** One step of the alignment. All times are known, or guessed from those beside. */
export interface PageWord {
  readonly type: AlignedWord['type'];
  readonly reference?: PlacedText;
  readonly hypothesis?: PlacedText;
  readonly speaker?: string;
}

export interface PlacedText {
  readonly text: string;
  /** Seconds. */
  readonly ts: number;
  readonly endTs: number;
}

/** A stretch of audio that has no text. */
export interface PageSpan {
  readonly ts: number;
  readonly endTs: number;
  readonly kind: 'silence' | 'hole';
}
