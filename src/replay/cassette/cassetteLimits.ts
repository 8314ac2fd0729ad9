import { MAX_MESSAGE_BYTES } from '../../protocol/limits.ts';

/** Limits of a cassette. A file beyond them is damaged, or meant to exhaust the memory. */
export const CASSETTE_LIMITS = {
  /** Bytes of a line: JSON may write each byte of the longest message as six. */
  lineBytes: 6 * MAX_MESSAGE_BYTES + 4096,
  /** Bytes of the text of a message. */
  messageBytes: MAX_MESSAGE_BYTES,
  /** Lines, pieces of audio included: a day of blocks of 20 ms, each with its frame on the wire. */
  lines: 10_000_000,
  /** Bytes of all lines other than pieces of audio, which are held in memory. */
  textBytes: 1024 * 1024 * 1024,
  connections: 100_000,
  /** Characters of a piece of an audio file in base64. */
  audioDataLength: 48 * 1024,
  /** Seconds of audio per second. */
  speed: 1e6,
} as const;

/** The size of a recording. */
export interface CassetteSize {
  readonly lines: number;
  /** Bytes of all lines other than pieces of audio. */
  readonly textBytes: number;
}

/** Size at which a recording ends; what still follows, at most an embedded FLAC file, fits as well. */
export const MAX_RECORDED: CassetteSize = {
  lines: CASSETTE_LIMITS.lines - 200_000,
  textBytes: CASSETTE_LIMITS.textBytes - 64 * 1024 * 1024,
};
