/** Inputs of tasks by the type of their jobs. Areas create them from submissions; they are stored as JSON. */

/** An address to download from. */
export interface Address {
  readonly url: string;
  /** Value of the Authorization header for it. */
  readonly authorization?: string;
}

/** The address of the media; absent when it was uploaded with the job. */
export interface MediaInput {
  readonly source?: Address;
}

/** A part of the media, in seconds. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** Options of a human job. */
export interface HumanInput {
  readonly verbatim: boolean;
  readonly rush: boolean;
  /** True to finish the job without a person, at no cost. Default false. */
  readonly isTest?: boolean;
  /** Default: all of the media. */
  readonly segments?: readonly Segment[];
  readonly speakerNames?: readonly string[];
}

/** Input of jobs of type `async` and `human_tc`. */
export interface TranscriptionInput extends MediaInput {
  readonly phrases?: readonly string[];
  readonly vocabularyId?: string;
  readonly skipDiarization?: boolean;
  readonly skipPunctuation?: boolean;
  readonly skipPostprocessing?: boolean;
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  /** Number of channels that are transcribed apart, or all that the media has. */
  readonly speakerChannelsCount?: number | 'all';
  readonly speakersCount?: number;
  readonly human?: HumanInput;
}

/** Input of jobs of type `language_id`. */
export type LanguageIdInput = MediaInput;

/** Input of jobs of type `alignment`: the words, or their address. */
export interface AlignmentInput extends MediaInput {
  readonly text?: string;
  readonly textSource?: Address;
}

/** Input of jobs of type `sentiment_analysis`: a text or a transcript. */
export interface SentimentInput {
  readonly text?: string;
  /** A transcript in the wire format. */
  readonly transcript?: unknown;
}

/** Input of vocabularies, whose type is `vocabulary`. */
export interface VocabularyInput {
  readonly phrases: readonly string[];
}

/**
 * Returns the segments of a human job within its media, in order of time; all of the media when none are given, or none lies
 * within the media.
 */
export function segmentsWithin(seconds: number, segments: readonly Segment[] = []): readonly Segment[] {
  const within = segments
    .map(({ start, end }) => ({ start, end: Math.min(end, seconds) }))
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start);
  return within.length > 0 ? within : [{ start: 0, end: seconds }];
}
