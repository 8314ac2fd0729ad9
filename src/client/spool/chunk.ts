/** Audio as it goes on the wire. */
export interface Chunk {
  /** Frames since the start of the source. */
  readonly startFrame: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}
