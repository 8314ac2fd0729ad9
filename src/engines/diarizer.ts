/** Somebody speaks from one frame to another, at the engine's sample rate. Turns may overlap. */
export interface SpeakerTurn {
  /** From 0, in the order of their first words. */
  readonly speaker: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

export interface DiarizeOptions {
  /** How many speakers there are, as a hint. */
  readonly speakersCount?: number;
  /** Aborting ends the work. */
  readonly signal?: AbortSignal;
}

/** Tells who speaks while they speak. */
export interface SpeakerTracker extends AsyncDisposable {
  /** Takes mono samples at the engine's rate, which are copied. The promise is the back pressure. */
  write(samples: Int16Array): Promise<void>;
  /**
   * Who speaks most between two frames, of audio that has been written: from 0, in the order in which they were first
   * asked for. What was once said of a speaker's number stays true: nobody gets another one later.
   *
   * @throws RxscribeError `engine-failed`, `aborted` when it is closed
   */
  speakerDuring(startFrame: number, endFrame: number): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** An engine that tells who speaks when. */
export interface Diarizer extends AsyncDisposable {
  readonly name: string;
  /** The rate in Hz that it must be fed at; audio is mono. */
  readonly sampleRate: number;
  /** @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason */
  diarize(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    options?: DiarizeOptions,
  ): Promise<readonly SpeakerTurn[]>;
  /**
   * Follows the speakers of a stream. It keeps a bounded memory, however long the stream is.
   *
   * @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason
   */
  track(options?: DiarizeOptions): Promise<SpeakerTracker>;
  close(): Promise<void>;
}
