/** Data of one run for the script of a page. */
export interface PageFile {
  /** Length of the audio in seconds. */
  readonly seconds: number;
  /** Index of its audio in the page; null without audio. */
  readonly audio: number | null;
  readonly words: readonly PageWord[];
  readonly spans: readonly PageSpan[];
}

/** One step of the alignment. Unknown times are interpolated. */
export type PageWord = (
  | { readonly type: 'hit' | 'substitution'; readonly reference: PlacedText; readonly hypothesis: PlacedText }
  | { readonly type: 'deletion'; readonly reference: PlacedText; readonly hypothesis?: undefined }
  | { readonly type: 'insertion'; readonly reference?: undefined; readonly hypothesis: PlacedText }
) & { readonly speaker?: string };

export interface PlacedText {
  readonly text: string;
  /** Times in seconds. */
  readonly ts: number;
  readonly endTs: number;
}

/** A stretch of audio without text. */
export interface PageSpan {
  readonly ts: number;
  readonly endTs: number;
  readonly kind: 'silence' | 'inaudible' | 'hole';
}
