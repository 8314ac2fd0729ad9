import type { Observable } from 'rxjs';

/** Capabilities of an engine, by which a service chooses one and refuses unsupported requests. */
export interface RecognizerCapabilities {
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** Sample rate of the audio that sessions take, in Hz; audio is mono. */
  readonly sampleRate: number;
  readonly partials: boolean;
  readonly confidences: boolean;
  readonly customVocabulary: boolean;
  /** True when a session without a language finds the language of each utterance. Default false. */
  readonly findsLanguage?: boolean;
  /** Best number of recordings to recognise at the same time. Default: half of the cores, at least one. */
  readonly recordingsAtOnce?: number;
}

/** A phrase that an engine cannot use. */
export interface PhraseFault {
  readonly phrase: string;
  /** Reason for people. */
  readonly reason: string;
}

/** A recognised word. */
export interface RecognizedWord {
  /** Lower case, without punctuation, numbers in words. */
  readonly value: string;
  /**
   * The word as the engine writes it, with capitals and the marks around it: `Dashwood,`. Empty when the word
   * before is written for both, such as `21` for "twenty" and "one". Absent when the engine writes no
   * sentences.
   */
  readonly written?: string;
  /** Frames since the start of the session, at the engine's sample rate. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** 0 to 1. Absent when the engine gives none. */
  readonly confidence?: number;
}

/**
 * A hypothesis for the utterance in progress, or a finished utterance. Frames as in {@link RecognizedWord}.
 *
 * Each result replaces the partial before it. A partial without words withdraws that partial. A final without
 * words is speech that could not be understood.
 */
export interface RecognizerResult {
  readonly type: 'partial' | 'final';
  readonly startFrame: number;
  readonly endFrame: number;
  readonly words: readonly RecognizedWord[];
  /** True for a final that the segment limit ended, not a pause: the next final continues the sentence. */
  readonly cut?: boolean;
  /** ISO 639-1 code of the language that the engine found. Default: that of the session. */
  readonly language?: string | undefined;
  /** True when the engine gave no times of words, which therefore share a longer time by their lengths. Default false. */
  readonly hasSharedTimes?: boolean;
}

export interface RecognizerSessionOptions {
  /** ISO 639-1 code. Default: found, if the engine finds languages, else `en`, else the engine's first one. */
  readonly language?: string;
  /**
   * Phrases to favour; unusable ones are ignored, and `inspectPhrases()` reports them. Words of phrases
   * appear plain like all words.
   */
  readonly phrases?: readonly string[];
  /** Seconds after which speech without a pause is cut into a final, 1 to 300. Default 30. */
  readonly maxSegmentSeconds?: number;
  /** Aborting closes the session. */
  readonly signal?: AbortSignal;
}

export const RECOGNIZER_SESSION_DEFAULTS = {
  maxSegmentSeconds: 30,
} as const;

/** The recognition of one stream of audio. */
export interface RecognizerSession extends AsyncDisposable {
  /**
   * Hot. Completes after the last final once `finish()` was called, or when closed; errors when the engine
   * fails.
   */
  readonly results$: Observable<RecognizerResult>;
  /**
   * Takes mono samples at the engine's rate, which are copied. Resolves when the engine can take more (back
   * pressure).
   *
   * @throws RxscribeError `aborted` once finished or closed, `engine-failed`
   */
  write(samples: Int16Array): Promise<void>;
  /**
   * Ends the utterance in progress at the audio written so far, as a pause would, and resolves when the finals of
   * that audio are emitted. Audio written afterwards belongs to a new utterance, on the same clock. Without speech
   * in progress it only waits for earlier finals.
   *
   * @throws RxscribeError as `write()`
   */
  flush(): Promise<void>;
  /**
   * Ends the audio, recognises the rest, and resolves when `results$` has completed. A last word that the end of the audio
   * has cut is part of the last final, and ends there. Rejects with `engine-failed`.
   */
  finish(): Promise<void>;
  /** Releases everything at once. Idempotent, also after `finish()`. */
  close(): Promise<void>;
}

/** Work of an engine since its creation. */
export interface EngineWork {
  /** Processor time of the processes with the model, in seconds. */
  readonly processorSeconds: number;
  /** Time in which decoders were busy, in seconds: longer when other programs have the processors. */
  readonly decodingSeconds: number;
  /** Part of it for work that becomes less when there are more streams, such as partials. */
  readonly yieldingSeconds: number;
  /** Audio that was recognised, in seconds. */
  readonly audioSeconds: number;
}

/** Measurements of an engine, by which a service decides how many streams it accepts. */
export interface RecognizerUsage {
  /** Streams that are open or opening; recordings do not count. */
  readonly streams: number;
  /** Limit of streams. */
  readonly maxStreams: number;
  /** Decodings that can run at the same time. */
  readonly decoders: number;
  /** Share of the decoders' time that yielding work needs when there are many streams. */
  readonly yieldingShare: number;
  /**
   * Seconds of decoding for each second of a stream's audio on a common machine, without yielding work, until
   * they are measured.
   */
  readonly expectedCost: number;
  /** Streams whose finals a smaller model makes, because finals were late when they began. Default 0. */
  readonly quickStreams?: number;
  /** Work for streams, including those that have ended. */
  readonly streamWork: EngineWork;
  readonly recordingWork: EngineWork;
  /**
   * Milliseconds for which audio of an open stream has waited for its results, in the stream that has waited
   * longest. Audio that came faster than real time counts from the moment at which it would have been spoken.
   */
  readonly lagMs: number;
}

/** An engine that turns speech into words. */
export interface Recognizer extends AsyncDisposable {
  readonly name: string;
  readonly capabilities: RecognizerCapabilities;
  /** Loads what the first session needs. Idempotent; without it, the first session loads. */
  warm(): Promise<void>;
  /**
   * Opens a streaming session.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`, or `unavailable` when no session is free
   */
  open(options?: RecognizerSessionOptions): Promise<RecognizerSession>;
  /**
   * Returns the phrases that sessions would ignore, with reasons. Empty when all are usable.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`
   */
  inspectPhrases(phrases: readonly string[]): Promise<readonly PhraseFault[]>;
  /** Recognises a whole recording as accurately as the engine can, from mono samples at the engine's rate. */
  recognize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: RecognizerSessionOptions,
  ): Promise<readonly RecognizerResult[]>;
  /** Returns current measurements. Default: unknown, so that only errors of `open()` limit the streams. */
  usage?(): RecognizerUsage;
  /** Returns the reason why no session would succeed now, for operators. Default: undefined, nothing is known. */
  fault?(): string | undefined;
  /** Ends all sessions and processes and releases their memory. */
  close(): Promise<void>;
}
