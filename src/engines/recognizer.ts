import type { Observable } from 'rxjs';

/** What an engine can do, so that a service can choose one and refuse what it cannot give. */
export interface RecognizerCapabilities {
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** The rate in Hz that sessions must be fed at; audio is mono. */
  readonly sampleRate: number;
  readonly partials: boolean;
  readonly confidences: boolean;
  readonly customVocabulary: boolean;
  /** Recordings that are best recognised at the same time. Default: half of the cores, at least one. */
  readonly recordingsAtOnce?: number;
}

/** A phrase that an engine cannot use. */
export interface PhraseFault {
  readonly phrase: string;
  /** For people: what is wrong with it. */
  readonly reason: string;
}

/** A word as recognised. */
export interface RecognizedWord {
  /** Lower case, no punctuation, numbers in words. */
  readonly value: string;
  /**
   * The word as the engine writes it, with capitals and the marks around it: `Dashwood,`. Empty where the word before is written
   * for both, such as `21` for "twenty" and "one". Absent when the engine writes no sentences.
   */
  readonly written?: string;
  /** Frames since the start of the session, at the engine's sample rate. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** 0 to 1; absent when the engine gives none. */
  readonly confidence?: number;
}

/**
 * The hypothesis for the utterance in progress, or a finished utterance. Frames as in {@link RecognizedWord}.
 *
 * Each replaces the partial before it. A partial without words takes that one back; a final has words.
 */
export interface RecognizerResult {
  readonly type: 'partial' | 'final';
  readonly startFrame: number;
  readonly endFrame: number;
  readonly words: readonly RecognizedWord[];
  /** Of a final: the segment limit ended it, not a pause. The next final goes on with the sentence. */
  readonly cut?: boolean;
}

export interface RecognizerSessionOptions {
  /** ISO 639-1. Default `en`. */
  readonly language?: string;
  /**
   * Phrases to favour; those of no use are passed over, which `inspectPhrases()` tells. The words of phrases come
   * plain, as all do.
   */
  readonly phrases?: readonly string[];
  /** A final comes at least this often, in seconds. Default {@link DEFAULT_MAX_SEGMENT_SECONDS}. */
  readonly maxSegmentSeconds?: number;
  /** Aborting closes the session. */
  readonly signal?: AbortSignal;
}

export const DEFAULT_MAX_SEGMENT_SECONDS = 30;

/** One stream of audio being recognised. */
export interface RecognizerSession extends AsyncDisposable {
  /** Hot; completes after the last final once `finish()` was called, or when closed; errors when the engine fails. */
  readonly results$: Observable<RecognizerResult>;
  /**
   * Takes mono samples at the engine's rate. The promise resolves when the engine can take more: wait for it, that is
   * the back pressure. Samples are copied.
   *
   * @throws RxscribeError `aborted` once finished or closed, `engine-failed`
   */
  write(samples: Int16Array): Promise<void>;
  /** No more audio: recognises what is left; resolves when `results$` has completed. Rejects with `engine-failed`. */
  finish(): Promise<void>;
  /** Gives everything back at once; idempotent, also after `finish()`. */
  close(): Promise<void>;
}

/** An engine that turns speech into words. */
export interface Recognizer extends AsyncDisposable {
  readonly name: string;
  readonly capabilities: RecognizerCapabilities;
  /** Makes ready what a first session needs. Idempotent; sessions do it themselves when it was not called. */
  warm(): Promise<void>;
  /**
   * Opens a streaming session.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`, or `unavailable` when no session is free
   */
  open(options?: RecognizerSessionOptions): Promise<RecognizerSession>;
  /**
   * Phrases that sessions would pass over, with the reason for each; empty when all can be used.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`
   */
  inspectPhrases(phrases: readonly string[]): Promise<readonly PhraseFault[]>;
  /** Recognises a whole recording, as accurately as the engine can. Mono samples at the engine's rate. */
  recognize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: RecognizerSessionOptions,
  ): Promise<readonly RecognizerResult[]>;
  /** Ends every session and gives back all processes and memory. */
  close(): Promise<void>;
}
