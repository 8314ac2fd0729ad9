declare module 'sherpa-onnx-node' {
  type Config = Readonly<Record<string, unknown>>;

  interface Waveform {
    /** From -1 to 1. */
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }

  interface OnlineStream {
    acceptWaveform(waveform: Waveform): void;
    inputFinished(): void;
  }

  /** Times in seconds; those of an online result count from the last reset, at `start_time`. */
  interface OnlineResult {
    readonly text: string;
    readonly tokens: readonly string[];
    readonly timestamps: readonly number[];
    /** Natural logarithms, from transducers only. */
    readonly ys_probs: readonly number[];
    readonly start_time: number;
  }

  class OnlineRecognizer {
    constructor(config: Config);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    isEndpoint(stream: OnlineStream): boolean;
    reset(stream: OnlineStream): void;
    getResult(stream: OnlineStream): OnlineResult;
  }

  interface OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }

  interface OfflineResult {
    readonly text: string;
    readonly tokens: readonly string[];
    readonly timestamps: readonly number[];
    readonly durations: readonly number[];
    readonly ys_log_probs: readonly number[];
  }

  class OfflineRecognizer {
    constructor(config: Config);
    /** Phrases are separated by `/`. */
    createStream(hotwords?: string): OfflineStream;
    /** Decodes on another thread. */
    decodeAsync(stream: OfflineStream): Promise<OfflineResult>;
  }

  /** With a missing file it finds no speech. */
  class Vad {
    constructor(config: Config, bufferSizeInSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    pop(): void;
    isDetected(): boolean;
    /** Ends the current utterance. */
    flush(): void;
  }

  class OnlinePunctuation {
    constructor(config: Config);
    addPunct(text: string): string;
  }

  class OfflinePunctuation {
    constructor(config: Config);
    addPunct(text: string): string;
  }

  interface SpeakerSegment {
    /** Seconds. */
    readonly start: number;
    readonly end: number;
    readonly speaker: number;
  }

  class OfflineSpeakerDiarization {
    readonly sampleRate: number;
    constructor(config: Config);
    process(samples: Float32Array): readonly SpeakerSegment[];
    /** Accepts only `clustering`. */
    setConfig(config: Config): void;
  }

  class SpeakerEmbeddingExtractor {
    constructor(config: Config);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    /** Without an external buffer the result is a copy. */
    compute(stream: OnlineStream, enableExternalBuffer: boolean): Float32Array;
  }
}
