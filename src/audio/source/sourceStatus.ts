/** A change in the state of a live source. */
export interface SourceStatus {
  /**
   * `waiting`: no sender is there yet. `lost`: the audio ended or stopped, and is awaited. `back`: there is audio again.
   * `silent`: the audio is digital silence, as of a muted device. `audible`: that silence is over.
   */
  readonly type: 'waiting' | 'lost' | 'back' | 'silent' | 'audible';
  /** A whole sentence for people. */
  readonly message: string;
  /** Device or host that the audio comes from. */
  readonly name: string;
  /** Seconds of audio that are missing, for `back`. */
  readonly lostSeconds?: number;
}

/** Emits a process warning for a status that needs attention, which Node prints on stderr by default. */
export function warnOfStatus({ type, message }: SourceStatus): void {
  if (type === 'lost' || type === 'silent') {
    process.emitWarning(message, { type: 'AudioWarning', code: `audio-${type}` });
  }
}
