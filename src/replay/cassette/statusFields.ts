import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';

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
