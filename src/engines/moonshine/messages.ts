import type { DecodedWord } from './decodedWords.ts';
import type { MoonshineFiles } from './model.ts';

/** The files that a process loads. */
export interface MoonshineSetup {
  readonly files: MoonshineFiles;
  /** Path of the native library; without it, WebAssembly. */
  readonly library?: string;
}

/** A request to a process. */
export type MoonshineRequest =
  /** Phrases that later requests name by the id. */
  | { readonly type: 'learn'; readonly phrases: readonly string[]; readonly id: number }
  | { readonly type: 'forget'; readonly id: number }
  | DecodeRequest;

/** An utterance to be decoded; frames and audio as in `Utterance`. */
export interface DecodeRequest {
  readonly type: 'decode';
  readonly samples: Int16Array;
  readonly start: number;
  readonly end: number;
  /**
   * `once` decodes as it is; `full` tries again with other edges where the result is suspicious.
   */
  readonly effort: 'once' | 'full';
  /** Tokens that it begins with. */
  readonly prefix?: readonly number[];
  /** Id of phrases that were learnt. */
  readonly phrases?: number | undefined;
}

export interface DecodedUtterance {
  readonly words: readonly DecodedWord[];
  readonly tokens: readonly number[];
  /** Whether it goes round in circles. */
  readonly isLoop: boolean;
  /** Whether another try could be better. */
  readonly isSuspicious: boolean;
}
