import type { SpeakerTurn } from '../diarizer.ts';
import type { FromSession, ToSession } from '../process/sessionMessages.ts';
import type { WorkFailure } from '../process/workProcess.ts';
import type { SpellingFiles } from './wordPieces.ts';

/**
 * What a process does, with the configuration that sherpa-onnx takes for it.
 *
 * `spellBy`: the files that phrases are to be spelt by, where there is no vocabulary.
 */
export type SherpaTask =
  | {
      readonly does: 'online';
      readonly config: NativeConfig;
      /** Seconds that a second of the model's times stands for. */
      readonly timeScale: number;
      /** As of a `TokenRun`. */
      readonly joinsByMark: boolean;
      readonly spellBy?: SpellingFiles;
    }
  | {
      readonly does: 'offline';
      readonly config: NativeConfig;
      readonly pauseSeconds: number;
      /** As of a `TokenRun`. */
      readonly joinsByMark: boolean;
      readonly spellBy?: SpellingFiles;
      /** The file of a voice detector of silero; without, that of WebRTC cuts speech. */
      readonly voiceModel?: string;
    }
  | { readonly does: 'punctuate'; readonly online: boolean; readonly config: NativeConfig }
  | {
      readonly does: 'diarize';
      readonly segmentation: NativeConfig;
      readonly embedding: NativeConfig;
      readonly blockSeconds: number;
    }
  | { readonly does: 'embed'; readonly config: NativeConfig };

export type NativeConfig = Readonly<Record<string, unknown>>;

/** How a recogniser's session is to be. */
export interface SessionSettings {
  readonly maxSegmentFrames: number;
  /** For a stream of its own: as `createStream()` of an offline recogniser takes them. */
  readonly hotwords?: string;
}

/** What is asked over a channel. */
export type Question =
  | ToSession<SessionSettings>
  /** For the text with marks. */
  | { readonly type: 'punctuate'; readonly text: string }
  /** A recording begins. */
  | { readonly type: 'diarize'; readonly speakersCount?: number }
  | { readonly type: 'hear'; readonly samples: Int16Array }
  | { readonly type: 'turns' }
  /** For the voice in the samples. */
  | { readonly type: 'embed'; readonly samples: Int16Array };

/** What comes back over the same channel. */
export type Answer =
  | FromSession
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'heard' }
  | { readonly type: 'turns'; readonly turns: readonly SpeakerTurn[] }
  /** A direction; undefined when there is too little to hear. */
  | { readonly type: 'voice'; readonly direction: Float32Array | undefined };

/** What the service's process says to a process with a model. */
export type ToSherpa =
  | { readonly type: 'load'; readonly task: SherpaTask }
  | { readonly type: 'ask'; readonly channel: number; readonly question: Question }
  /** Nothing more is wanted of a channel. */
  | { readonly type: 'drop'; readonly channel: number };

/** What that process says back. */
export type FromSherpa =
  | { readonly type: 'answer'; readonly channel: number; readonly answer: Answer }
  /** A channel cannot go on; the others do. */
  | ({ readonly type: 'fault'; readonly channel: number } & Pick<WorkFailure, 'code' | 'message'>);
