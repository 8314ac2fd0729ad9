import type { PcmFormat } from '../../audio/format/format.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { formatStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import type { AudioLine, MessageLine } from './cassette.ts';

type MessageFields = Pick<MessageLine, 'message' | 'text'>;

/** The text frame of a message line, as it came. */
export function messageText({ message, text }: MessageFields): string {
  return text ?? JSON.stringify(message);
}

/** What the text frame of a message line says in JSON, of any kind; undefined when it is none. */
export function messageJson({ message, text }: MessageFields): unknown {
  if (text === undefined) return message;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A status as a line has it: of an error its code and its message. */
export function statusFields(status: StreamStatus): Readonly<Record<string, unknown>> {
  if (!('error' in status)) return { ...status };
  const { error } = status;
  const code = error instanceof RxscribeError ? error.code : undefined;
  return { ...status, error: { ...(code && { code }), message: messageOf(error) } };
}

/** The status of a line; its error says what the recorded one said. */
export function statusOf(fields: Readonly<Record<string, unknown>>): StreamStatus {
  const error = fields.error as { code?: unknown; message?: unknown } | null | undefined;
  if (typeof error !== 'object' || error === null) return fields as unknown as StreamStatus;
  const message = String(error.message);
  // A code of a later version is no code here, but as good a word as any.
  const known = typeof error.code === 'string' ? (error.code as RxscribeError['code']) : undefined;
  const revived = known ? new RxscribeError(known, message) : new Error(message);
  return { ...fields, error: revived } as unknown as StreamStatus;
}

/** The format of an audio line, as programs have it. */
export function formatOf({ format }: Pick<AudioLine, 'format'>): PcmFormat {
  const { sample_format, sample_rate, channels } = format;
  return { sampleFormat: sample_format, sampleRate: sample_rate, channels };
}

/** Audio files have no S16BE. */
export function asInFile(format: PcmFormat): PcmFormat {
  return format.sampleFormat === 'S16BE' ? { ...format, sampleFormat: 'S16LE' } : format;
}

/** As on the wire, but without what would not be printed: the token is no part of it. */
export function queryFields(query: StreamQuery): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(formatStreamQuery(query)));
}

/** JSON where it would be printed as it came, so that people can read it. */
export function messageFields(text: string): Pick<MessageLine, 'message' | 'text'> {
  try {
    const message: unknown = JSON.parse(text);
    if (JSON.stringify(message) === text) return { message };
  } catch {
    // No JSON, or too deep to be printed.
  }
  return { text };
}
