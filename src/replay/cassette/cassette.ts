import type { PcmFormat } from '../../audio/format/format.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

/**
 * The version of the format that this program writes, and the highest that it reads. Fields may be added within a version,
 * and are passed over by who does not know them; another kind of line, or another meaning, is another version.
 */
export const CASSETTE_VERSION = 1;

/**
 * A recorded session: JSON Lines, one object a line, the header first and the end last. Names on lines are snake_case as
 * on the wire. Two clocks: `frame` counts frames of the source (the audio clock), `ms` milliseconds since the recording
 * began (the wall clock).
 */
export interface Cassette {
  readonly header: CassetteHeader;
  /** In order of their wall clock; without the pieces of an audio file inside. */
  readonly lines: readonly CassetteLine[];
  /** Undefined when the recording was cut off. */
  readonly end?: EndLine;
  /** Undefined when none was recorded: the source gave none, or it is an imported log without any. */
  readonly audio?: CassetteAudio;
}

export interface CassetteHeader {
  readonly type: 'cassette';
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly recorded_at: string;
  /** Program to version, such as `{ "rxscribe": "0.1.0", "node": "24.21.0" }`. */
  readonly software: Readonly<Record<string, string>>;
  /** What it was made of, when it was not recorded. */
  readonly origin?: string;
}

/** Everything between header and end, but the pieces of an audio file. `connection` counts from 0. */
export type CassetteLine =
  | AudioLine
  | BlockLine
  | ConnectLine
  | OpenedLine
  | SendLine
  | PadLine
  | SendTextLine
  | MessageLine
  | BinaryLine
  | CloseLine
  | GapLine
  | StatusLine
  | EventLine;

interface At {
  /** Milliseconds since the recording began. */
  readonly ms: number;
}

interface OnConnection extends At {
  readonly connection: number;
  /** Where the audio stands that was sent on this connection, in frames of the source; it never goes back. */
  readonly frame: number;
}

/** What the audio is, as soon as that is known: at the first block. */
export interface AudioLine extends At {
  readonly type: 'audio';
  readonly format: PcmFormatJson;
  /** How the source gave it: frames of the first block. */
  readonly block_frames: number;
  /** Seconds of audio in a second, as the source was asked for it. Absent: nobody said so. */
  readonly speed?: number | 'max';
  /** What the audio is kept in while it is recorded. Absent: it is not kept. */
  readonly container?: 'wav';
  /** Beside the cassette, while it is recorded: its name, without a directory. Absent: inside, as `audio_data`. */
  readonly file?: string;
}

/** The source gave a block: its audio ends at `frame`. It begins where the last one ended, or behind a gap. */
export interface BlockLine extends At {
  readonly type: 'block';
  readonly frame: number;
}

/** {@link PcmFormat} in the names of the file. */
export interface PcmFormatJson {
  readonly sample_format: PcmFormat['sampleFormat'];
  /** Hz. */
  readonly sample_rate: number;
  readonly channels: number;
}

/** A connection is made. `query` has the parameters of the interface alone, so never a token. */
export interface ConnectLine extends OnConnection {
  readonly type: 'connect';
  /** Without query and credentials. */
  readonly address: string;
  /** Parameter to value, as on the wire. */
  readonly query: Readonly<Record<string, string>>;
}

export interface OpenedLine extends OnConnection {
  readonly type: 'opened';
}

/** A binary frame of audio: source frames from `start` on; `frame` is where they end. */
export interface SendLine extends OnConnection {
  readonly type: 'send';
  readonly start: number;
  readonly frames: number;
}

/** A binary frame of silence that the source does not have. */
export interface PadLine extends OnConnection {
  readonly type: 'pad';
  readonly frames: number;
}

export interface SendTextLine extends OnConnection {
  readonly type: 'send_text';
  readonly text: string;
}

/** A text frame of the service: `message` where `JSON.stringify` prints it as it came, else `text`. */
export interface MessageLine extends OnConnection {
  readonly type: 'message';
  readonly message?: unknown;
  readonly text?: string;
  /** The client did not tell it as it reads: it could not, had told it before, or told it as an {@link EventLine}. */
  readonly heard?: false;
}

export interface BinaryLine extends OnConnection {
  readonly type: 'binary';
}

export interface CloseLine extends OnConnection {
  readonly type: 'close';
  readonly by: 'client' | 'service' | 'network';
  readonly code: number;
  readonly reason: string;
  readonly http_status?: number;
}

/** The source left frames out: the recorded audio is silent there. */
export interface GapLine extends At {
  readonly type: 'gap';
  readonly start: number;
  readonly frames: number;
}

/** A status of the stream, as `status$` had it; errors as their code and message. */
export interface StatusLine extends At {
  readonly type: 'status';
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What the client told that no message says as it reads: silence, holes, repairs, and words whose times or beginning it
 * changed, as where the source left audio out.
 */
export interface EventLine extends At {
  readonly type: 'event';
  readonly event: LiveEvent;
}

/** A piece of the audio file, where it lies inside: base64 of at most 48 KiB, in order. */
export interface AudioDataLine {
  readonly type: 'audio_data';
  readonly data: string;
}

/** The recording is whole. */
export interface EndLine extends At {
  readonly type: 'end';
  /** Frames of the source. 0: it gave none. */
  readonly frames: number;
  /** Of a recording without audio: absent. Else where it is now. */
  readonly audio?: {
    readonly container: 'wav' | 'flac';
    /** Beside the cassette: its name, without a directory. Absent: inside, as `audio_data`. */
    readonly file?: string;
    /** Of the samples as a WAV file has them (S16BE as S16LE), gaps as silence; hexadecimal. */
    readonly sha256: string;
  };
}

export interface CassetteAudio {
  readonly format: PcmFormat;
  readonly frames: number;
  /** Frames a block, as the source gave them. */
  readonly blockFrames: number;
  /** What the source left out. */
  readonly gaps: readonly { readonly startFrame: number; readonly frames: number }[];
  /** Path of an audio file that any player opens; undefined where it lies inside the cassette. */
  readonly path?: string;
  /** Bytes of the audio file (WAV or FLAC), opened anew for each call: frame 0 on, gaps silent. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}
