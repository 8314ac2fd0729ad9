import packageJson from 'rxscribe/package.json' with { type: 'json' };
import type { PcmFormat } from '../../audio/format/format.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

/**
 * Version of the format that rxscribe writes, and the highest that it reads. A version may gain fields, which older
 * programs ignore; a new kind of line, or a new meaning, is a new version.
 */
export const CASSETTE_VERSION = 1;

/** Versions of the programs that make a cassette or a report. */
export const SOFTWARE_VERSIONS: Readonly<Record<string, string>> = {
  rxscribe: packageJson.version,
  node: process.versions.node,
};

/**
 * A recorded session, as JSON Lines: the header comes first and the end last. Names on lines are snake_case, as on the
 * wire. There are two clocks: `frame` counts frames of the source (the audio clock), `ms` milliseconds since the
 * recording began (the wall clock).
 */
export interface Cassette {
  readonly header: CassetteHeader;
  /** Lines in order of the wall clock, without the pieces of an embedded audio file. */
  readonly lines: readonly CassetteLine[];
  /** Undefined when the recording was cut off. */
  readonly end?: EndLine;
  /** Audio. Undefined when none was recorded, or when an imported log had none. */
  readonly audio?: CassetteAudio;
}

export interface CassetteHeader {
  readonly type: 'cassette';
  readonly version: number;
  /** Time of the recording, ISO 8601, UTC. */
  readonly recorded_at: string;
  /** Versions of the programs, such as `{ "rxscribe": "0.1.0", "node": "24.21.0" }`. */
  readonly software: Readonly<Record<string, string>>;
  /** Source of a cassette that was not recorded, such as `message log`. */
  readonly origin?: string;
}

/** A line between header and end, other than a piece of an audio file. `connection` counts from 0. */
export type CassetteLine =
  | AudioLine
  | BlockLine
  | QueryLine
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
  /** End of the audio sent on this connection, in frames of the source; it never decreases. */
  readonly frame: number;
}

/** The format of the audio, written with the first block. */
export interface AudioLine extends At {
  readonly type: 'audio';
  readonly format: PcmFormatJson;
  /** Frames of the first block of the source. */
  readonly block_frames: number;
  /** Requested speed of the source in seconds of audio per second. Absent when unknown. */
  readonly speed?: number | 'max';
  /** Format of the audio file during the recording. Absent when the audio is not kept. */
  readonly container?: 'wav';
  /**
   * Name, without a directory, of the audio file beside the cassette during the recording. Absent when the audio is
   * embedded as `audio_data`.
   */
  readonly file?: string;
}

/** A block of the source whose audio ends at `frame`. It begins at the end of the block before, or after a gap. */
export interface BlockLine extends At {
  readonly type: 'block';
  readonly frame: number;
}

/** {@link PcmFormat} with the names of the file. */
export interface PcmFormatJson {
  readonly sample_format: PcmFormat['sampleFormat'];
  /** Hz. */
  readonly sample_rate: number;
  readonly channels: number;
}

/** The audio from a frame on has another query. */
export interface QueryLine extends At {
  readonly type: 'query';
  readonly frame: number;
  /** Values of the parameters, as on the wire. */
  readonly query: Readonly<Record<string, string>>;
}

/** A new connection. `query` has only the parameters of the interface, so never a token. */
export interface ConnectLine extends OnConnection {
  readonly type: 'connect';
  /** Address without query and credentials. */
  readonly address: string;
  /** Values of the parameters, as on the wire. */
  readonly query: Readonly<Record<string, string>>;
}

export interface OpenedLine extends OnConnection {
  readonly type: 'opened';
}

/** A binary frame of audio: frames of the source from `start` up to `frame`. */
export interface SendLine extends OnConnection {
  readonly type: 'send';
  readonly start: number;
  readonly frames: number;
}

/** A binary frame of silence that is not in the source. */
export interface PadLine extends OnConnection {
  readonly type: 'pad';
  readonly frames: number;
}

export interface SendTextLine extends OnConnection {
  readonly type: 'send_text';
  readonly text: string;
}

/** A text frame of the service: as `message` if `JSON.stringify` reproduces it exactly, else as `text`. */
export interface MessageLine extends OnConnection {
  readonly type: 'message';
  readonly message?: unknown;
  readonly text?: string;
  /**
   * False when the client did not emit the message as it stands: it could not decode it, had emitted it before, or
   * emitted it as an {@link EventLine}.
   */
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

/** Frames that the source left out; the recorded audio is silent there. */
export interface GapLine extends At {
  readonly type: 'gap';
  readonly start: number;
  readonly frames: number;
}

/** A status of the stream, as emitted by `status$`; an error has its code and message. */
export interface StatusLine extends At {
  readonly type: 'status';
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * An event of the client that no message contains as it stands: silence, holes, repairs, and results whose times or
 * start the client changed, for instance after a gap of the source.
 */
export interface EventLine extends At {
  readonly type: 'event';
  readonly event: LiveEvent;
}

/** A piece of an embedded audio file: base64 of at most 48 KiB, in order. */
export interface AudioDataLine {
  readonly type: 'audio_data';
  readonly data: string;
}

/** The last line of a complete recording. */
export interface EndLine extends At {
  readonly type: 'end';
  /** Frames of the source; 0 without audio. */
  readonly frames: number;
  /** The audio file at the end of the recording. Absent without audio. */
  readonly audio?: {
    readonly container: 'wav' | 'flac';
    /**
     * Name, without a directory, of the audio file beside the cassette. Absent when the audio is embedded as
     * `audio_data`.
     */
    readonly file?: string;
    /** SHA-256, in hexadecimal, of the samples as in a WAV file (S16BE as S16LE), gaps as silence. */
    readonly sha256: string;
  };
}

export interface CassetteAudio {
  readonly format: PcmFormat;
  readonly frames: number;
  /** Frames per block of the source. */
  readonly blockFrames: number;
  /** Gaps that the source left out. */
  readonly gaps: readonly { readonly startFrame: number; readonly frames: number }[];
  /** Path of an audio file for any player. Undefined when the audio is embedded. */
  readonly path?: string;
  /** Opens the audio file (WAV or FLAC) and reads its bytes, from frame 0 on; gaps are silent. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}
