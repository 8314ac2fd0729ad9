/** What a job's task is given, by the type of the job. An area makes it of a submission; it is kept as JSON. */

/** Something to fetch. */
export interface Address {
  readonly url: string;
  /** Value of the Authorization header that goes with it. */
  readonly authorization?: string;
}

/** Where the media is; absent when it was uploaded with the job. */
export interface MediaInput {
  readonly source?: Address;
}

/** A part of the media, in seconds. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** What a person is asked for. */
export interface HumanInput {
  readonly verbatim: boolean;
  readonly rush: boolean;
  /** Default: everything. */
  readonly segments?: readonly Segment[];
  readonly speakerNames?: readonly string[];
}

/** Of jobs of type `async` and `human_tc`. */
export interface TranscriptionInput extends MediaInput {
  readonly phrases?: readonly string[];
  readonly vocabularyId?: string;
  readonly skipDiarization?: boolean;
  readonly skipPunctuation?: boolean;
  readonly skipPostprocessing?: boolean;
  readonly filterProfanity?: boolean;
  readonly removeDisfluencies?: boolean;
  readonly speakerChannelsCount?: number;
  readonly speakersCount?: number;
  readonly human?: HumanInput;
}

/** Of jobs of type `language_id`. */
export type LanguageIdInput = MediaInput;

/** Of jobs of type `alignment`: the words, or where they are. */
export interface AlignmentInput extends MediaInput {
  readonly text?: string;
  readonly textSource?: Address;
}

/** Of jobs of type `sentiment_analysis`: one of the two. */
export interface SentimentInput {
  readonly text?: string;
  /** A transcript as the wire has it. */
  readonly transcript?: unknown;
}

/** Of vocabularies, whose type is `vocabulary`. */
export interface VocabularyInput {
  readonly phrases: readonly string[];
}
