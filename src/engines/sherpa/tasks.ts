/** Sample rate of all models here, in Hz. */
export const SAMPLE_RATE = 16_000;

/** Configuration of a native object of sherpa-onnx. */
export type NativeConfig = Readonly<Record<string, unknown>>;

/** Files that define how words are spelt by tokens. */
export interface SpellingFiles {
  /** `tokens.txt`. */
  readonly tokens: string;
  /** `bpe.model`, a model of SentencePiece. */
  readonly bpe?: string;
}

interface RecognitionTask {
  readonly config: NativeConfig;
  /** As in a `TokenRun`. */
  readonly joinsByMark: boolean;
  /** Files to spell phrases by, for a model without a vocabulary. */
  readonly spellBy?: SpellingFiles;
}

/** The work of a process, with the configuration that sherpa-onnx takes for it. */
export type SherpaTask =
  | (RecognitionTask & {
      readonly does: 'online';
      /** Seconds for each second of the model's times. */
      readonly timeScale: number;
    })
  | (RecognitionTask & {
      readonly does: 'offline';
      readonly pauseSeconds: number;
      /** File of a Silero voice detector. Default: the voice detector of WebRTC. */
      readonly voiceModel?: string;
    });

export interface SessionSettings {
  readonly maxSegmentFrames: number;
  /** Hotwords of this stream, as `createStream()` of an offline recogniser takes them. */
  readonly hotwords?: string;
}

/** Methods of a session; recogniser results are events. */
export interface SessionMethods {
  start(settings: SessionSettings): void | Promise<void>;
  write(samples: Int16Array): void | Promise<void>;
  /** As `flush()` of a recogniser session. */
  flush(): void | Promise<void>;
  /** As `finish()` of a recogniser session. */
  finish(): void | Promise<void>;
}
