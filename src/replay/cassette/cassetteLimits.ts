import { MAX_MESSAGE_BYTES } from '../../client/stream/session/socket.ts';

/** What a cassette may hold: what is more is damage, or somebody's attempt on our memory. */
export const CASSETTE_LIMITS = {
  /** Bytes of a line: of the longest message, JSON may write each one as six. */
  lineBytes: 6 * MAX_MESSAGE_BYTES + 4096,
  /** Bytes of the text of a message. */
  messageBytes: MAX_MESSAGE_BYTES,
  /** Lines in all, pieces of audio included: a day of blocks of 20 ms, each with its frame on the wire. */
  lines: 10_000_000,
  /** Bytes of all lines but the pieces of audio: these are held in memory. */
  textBytes: 1024 * 1024 * 1024,
  connections: 100_000,
  /** Characters of a piece of an audio file in base64. */
  audioDataLength: 48 * 1024,
  /** Seconds of audio in a second. */
  speed: 1e6,
} as const;

/** What a recording has of a cassette. */
export interface CassetteSize {
  readonly lines: number;
  /** Of all lines but the pieces of audio. */
  readonly textBytes: number;
}

/** A recording takes no more audio here: what still comes, a FLAC file inside at most, fits as well. */
export const MAX_RECORDED: CassetteSize = {
  lines: CASSETTE_LIMITS.lines - 200_000,
  textBytes: CASSETTE_LIMITS.textBytes - 64 * 1024 * 1024,
};
