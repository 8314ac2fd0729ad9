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
  close(): Promise<void>;
}
