import { MAX_MESSAGE_BYTES } from '../../client/stream/session/socket.ts';

/** What a cassette may hold: what is more is damage, or somebody's attempt on our memory. */
export const CASSETTE_LIMITS = {
  /** Bytes of a line: of the longest message, JSON may write each one as six. */
  lineBytes: 6 * MAX_MESSAGE_BYTES + 4096,
  /** Bytes of the text of a message. */
  messageBytes: MAX_MESSAGE_BYTES,
  /** Lines in all, pieces of audio included: some 27 hours of ten blocks a second. */
  lines: 2_000_000,
  /** Bytes of all lines but the pieces of audio: these are held in memory. */
  textBytes: 512 * 1024 * 1024,
  connections: 100_000,
  /** Characters of a piece of an audio file in base64. */
  audioDataLength: 48 * 1024,
} as const;
