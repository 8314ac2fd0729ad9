declare module 'sherpa-onnx-node' {
  type Config = Readonly<Record<string, unknown>>;

  interface Waveform {
    /** From -1 to 1. */
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }

  interface OnlineStream {
    acceptWaveform(waveform: Waveform): void;
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

  /** Ends the process for a model whose metadata lacks a value. */
  class SpokenLanguageIdentification {
    constructor(config: Config);
    createStream(): OfflineStream;
    /** Returns a code of Whisper; empty when the model cannot be run. */
    compute(stream: OfflineStream): string;
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
}
