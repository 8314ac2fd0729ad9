/** A stretch of speech by one speaker, in frames at the engine's sample rate. Turns may overlap. */
export interface SpeakerTurn {
  /** Number of the speaker, from 0 in the order of their first words. */
  readonly speaker: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

export interface DiarizeOptions {
  /** Expected number of speakers, as a hint. */
  readonly speakersCount?: number;
  /** Aborting ends the work. */
  readonly signal?: AbortSignal;
}

/** Identifies the current speaker of a live stream. */
export interface SpeakerTracker extends AsyncDisposable {
  /**
   * Takes mono samples at the engine's rate, which are copied. Resolves when more can be taken (back
   * pressure).
   */
  write(samples: Int16Array): Promise<void>;
  /**
   * Returns the speaker who talks most between two frames of the written audio: a number from 0, in the order
   * in which speakers were first returned. The number of a speaker never changes.
   *
   * @throws RxscribeError `engine-failed`, `aborted` when it is closed
   */
  speakerDuring(startFrame: number, endFrame: number): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** An engine that separates speakers (speaker diarization). */
export interface Diarizer extends AsyncDisposable {
  readonly name: string;
  /** Sample rate of the audio that it takes, in Hz; audio is mono. */
  readonly sampleRate: number;
  /**
   * Returns the turns of a recording in order.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  diarize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: DiarizeOptions,
  ): Promise<readonly SpeakerTurn[]>;
  /**
   * Starts tracking the speakers of a live stream, with bounded memory however long the stream is.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  track(options?: DiarizeOptions): Promise<SpeakerTracker>;
  close(): Promise<void>;
}
