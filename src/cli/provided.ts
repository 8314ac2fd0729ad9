import type { EngineChoice, ModelRole } from '../base/models.ts';
import type { Transcription } from '../client/stream/liveOperator.ts';
import type { TranscribeOptions } from '../client/stream/options.ts';
import type { UnusablePhrase } from '../protocol/jobs.ts';

/**
 * Parts of the service and of cassettes that commands need. A command gets them by its context, so that it imports neither; each
 * part is loaded with its first use.
 */
export interface Provided {
  /**
   * Starts a service inside this process, for this process alone, whose recogniser may still be loading.
   *
   * @throws RxscribeError `engine-missing` when `@rxscribe/server` is not installed, or needs a newer Node
   */
  embeddedService(io: EngineIo, options: EmbeddedServiceOptions): Promise<EmbeddedService>;
  /** Resolves with the phrases of an English text that are no common words. @throws RxscribeError `engine-missing` */
  englishPhrases(text: string): Promise<readonly string[]>;
  /** Resolves with the operator that streams audio, and records the session as a cassette. */
  recorder(): Promise<(options: RecorderOptions) => Transcription>;
  /**
   * Resolves with the audio of a cassette and its file name.
   *
   * @throws RxscribeError `audio-missing` for a cassette without audio; CassetteError for a damaged one
   */
  cassetteAudio(path: string): Promise<{ readonly data: AsyncIterable<Uint8Array>; readonly name: string }>;
}

/** Environment of the engines, and the terminal that shows a download. */
export interface EngineIo {
  readonly stderr: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'>>;
  readonly env: NodeJS.ProcessEnv;
}

/** A model of the command line. */
export interface ModelChoice {
  /** Default: every role that the model has. */
  readonly role?: ModelRole;
  /** Name in the catalogue, or a directory. */
  readonly model: string;
}

/** Engines of a service inside this process. */
export interface EngineFlags {
  /** Default: those of `rxscribe model use`, else those of the package. */
  readonly model?: readonly ModelChoice[];
  /** Default: that of the model. */
  readonly engine?: EngineChoice;
  /** Silence in seconds that ends an utterance. Default 0.5. */
  readonly pause?: number;
  /** Address of the server of the engine `openai`. */
  readonly engineUrl?: string;
  /** Default `whisper-1`. */
  readonly engineModel?: string;
  /** ISO 639-1 codes of what the server knows. Default: English. */
  readonly engineLanguages?: readonly string[];
  /** Seconds of new audio before another partial. Default 1. */
  readonly enginePartials?: number | 'off';
}

export interface EmbeddedServiceOptions extends EngineFlags {
  readonly brand: string;
  /** Loads a recogniser. Default true. */
  readonly recognizes?: boolean;
  /** Stores jobs, in memory. Default false: nothing is stored, and no database has to start. */
  readonly keepsJobs?: boolean;
  /** Called when the files of the engines are there, and the service starts. */
  readonly onStart?: () => void;
  /** Stops the download of the recogniser. */
  readonly signal?: AbortSignal;
}

/** A service inside this process; disposing of it stops the service and removes all its data. */
export interface EmbeddedService extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Name of the recogniser. */
  readonly recognizer: string;
  /** Resolves when recogniser and database are ready; rejects with the reason when one of them fails. */
  readonly ready: Promise<void>;
  /** Resolves with the phrases that the recogniser cannot use. */
  inspectPhrases(phrases: readonly string[]): Promise<readonly UnusablePhrase[]>;
}

export interface RecorderOptions extends TranscribeOptions {
  /** Path of the cassette, and speed of the source in seconds of audio per second. */
  readonly cassette: { readonly path: string; readonly speed?: number | 'max' };
}
