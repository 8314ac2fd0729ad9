import type { PcmFormat } from '../../audio/format/format.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { decodeMessage } from '../../protocol/messages.ts';
import { formatStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import type { TranscriptEvent } from '../../transcript/model/events.ts';
import type { LineOf } from './cassetteSchema.ts';

type MessageFields = Pick<LineOf<'message'>, 'message' | 'text'>;

/** Returns the text frame of a message line, as it was received. */
export function messageText({ message, text }: MessageFields): string {
  return text ?? JSON.stringify(message);
}

/** Returns the JSON value of a message line; undefined when its text is not JSON. */
export function messageJson({ message, text }: MessageFields): unknown {
  return text === undefined ? message : jsonOf(text);
}

/** Decodes a text frame as a client does; undefined when it cannot. */
export function messageEvent(text: string): TranscriptEvent | undefined {
  try {
    return decodeMessage(text).event;
  } catch {
    return undefined;
  }
}

/** Converts a status to the fields of its line; an error is reduced to code and message. */
export function statusFields(status: StreamStatus): Readonly<Record<string, unknown>> {
  if (!('error' in status)) return { ...status };
  const { error } = status;
  const code = error instanceof RxscribeError ? error.code : undefined;
  return { ...status, error: { code, message: messageOf(error) } };
}

/** Converts the fields of a line to a status, with an error that has the recorded code and message. */
export function statusOf(fields: Readonly<Record<string, unknown>>): StreamStatus {
  const error = fields.error as { code?: unknown; message?: unknown } | null | undefined;
  if (typeof error !== 'object' || error === null) return fields as unknown as StreamStatus;
  const message = String(error.message);
  // A code of a later version is not in the type, but can be shown all the same.
  const known = typeof error.code === 'string' ? (error.code as RxscribeError['code']) : undefined;
  const revived = known ? new RxscribeError(known, message) : new Error(message);
  return { ...fields, error: revived } as unknown as StreamStatus;
}

/** Converts the format of an audio line to a {@link PcmFormat}. */
export function formatOf({ format }: Pick<LineOf<'audio'>, 'format'>): PcmFormat {
  const { sample_format, sample_rate, channels } = format;
  return { sampleFormat: sample_format, sampleRate: sample_rate, channels };
}

/** Returns the format in an audio file, which has no S16BE. */
export function asInFile(format: PcmFormat): PcmFormat {
  return format.sampleFormat === 'S16BE' ? { ...format, sampleFormat: 'S16LE' } : format;
}

/** Returns the parameters of a query as on the wire. The token is not among them. */
export function queryFields(query: StreamQuery): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(formatStreamQuery(query)));
}

/**
 * Returns the fields of a message line: JSON if it reproduces the text exactly, so that people can read it, else the
 * text.
 */
export function messageFields(text: string): MessageFields {
  try {
    const message: unknown = JSON.parse(text);
    if (JSON.stringify(message) === text) return { message };
  } catch {
    // Not JSON, or nested too deeply to be printed.
  }
  return { text };
}
