/** What a service that plays a cassette does on one connection, before anything goes wrong. */
export interface Script {
  /** `start_ts`: seconds of the first sample. */
  readonly startTs: number;
  /** Hz of all frames here. */
  readonly sampleRate: number;
  /** Parameter to value, as they were asked for. */
  readonly query: Readonly<Record<string, string>>;
  /** The handshake does not come about. */
  readonly rejection?:
    | { readonly kind: 'refuse' }
    | { readonly kind: 'http-status'; readonly status: number };
  /** In order. */
  readonly cues: readonly Cue[];
  /** What is said instead of the rest when more audio comes than belongs to it; in order. Absent: nothing else. */
  readonly beyond?: readonly Cue[];
  /** The audio that belongs to it. */
  readonly audio: readonly AudioPiece[];
  /** Text frames of the client, but the end of the stream. */
  readonly texts: readonly string[];
  /** The client says that its audio has ended. */
  readonly hasEnd: boolean;
}

/** Something that the service does, as soon as so much audio has come. */
export interface Cue {
  readonly kind: 'connected' | 'words' | 'other' | 'end';
  /** Of audio received on the connection. */
  readonly frames: number;
  /** Not before the end of the stream. */
  readonly afterEnd: boolean;
  /** So long after the audio, in milliseconds. */
  readonly lagMs: number;
  /** Frames of the connection where its words begin. */
  readonly fromFrame?: number;
  readonly act: Act;
}

export type Act =
  | { readonly kind: 'text'; readonly text: string }
  /** A binary frame, which the interface does not have: what was in it nobody kept. */
  | { readonly kind: 'binary' }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'half-open' };

/** A run of frames of the source, or of silence that the source does not have. */
export type AudioPiece =
  | { readonly kind: 'source'; readonly start: number; readonly frames: number }
  | { readonly kind: 'silence'; readonly frames: number };

/** Frames of all pieces. */
export function framesOfPieces(pieces: readonly AudioPiece[]): number {
  return pieces.reduce((sum, { frames }) => sum + frames, 0);
}
