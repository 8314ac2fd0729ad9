/** The behavior of the playing service on one connection, without faults. */
export interface Script {
  /** Time of the first sample in seconds (`start_ts`). */
  readonly startTs: number;
  /** Sample rate of all frames here, in Hz. */
  readonly sampleRate: number;
  /** Values of the requested parameters. */
  readonly query: Readonly<Record<string, string>>;
  /** Rejection of the handshake. */
  readonly rejection?:
    | { readonly kind: 'refuse' }
    | { readonly kind: 'http-status'; readonly status: number };
  /** Cues in order. */
  readonly cues: readonly Cue[];
  /** Audio of the connection. */
  readonly audio: readonly SourcePiece[];
  /** Text frames of the client, other than the end of the stream. */
  readonly texts: readonly string[];
  /** True when the client ends its audio. */
  readonly hasEnd: boolean;
  /** True when the recorded connection broke: a client may end its audio elsewhere. */
  readonly isBroken: boolean;
}

/** An action of the service that is due when a given amount of audio has arrived. */
export interface Cue {
  readonly kind: 'connected' | 'words' | 'other' | 'end';
  /** Frames of audio to be received on the connection. */
  readonly frames: number;
  /** True for an action after the end of the stream. */
  readonly afterEnd: boolean;
  /** Delay after the audio, in milliseconds. */
  readonly lagMs: number;
  /** Start of its words, in frames of the connection. */
  readonly fromFrame?: number;
  readonly act: Act;
}

export type Act =
  | { readonly kind: 'text'; readonly text: string }
  /** A binary frame, which the interface does not have and whose content was not recorded. */
  | { readonly kind: 'binary' }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'half-open' };

/** A run of frames of the source. */
export interface SourcePiece {
  readonly kind: 'source';
  readonly start: number;
  readonly frames: number;
}
