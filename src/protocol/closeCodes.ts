/** A way in which the service ends a streaming session. */
export interface CloseRule {
  readonly code: number;
  /** Text sent with the code; a bad request may append details. */
  readonly reason: string;
  /** True when the same session may be tried again. */
  readonly retry: boolean;
}

/** The close codes of the streaming interface. */
export const CLOSE = {
  endOfInput: { code: 1000, reason: 'End of input. Closing', retry: false },
  idle: {
    code: 1000,
    reason: 'No data has been transferred, closing connection',
    retry: false,
  },
  protocolError: { code: 1002, reason: 'Bad frame', retry: false },
  unexpectedText: { code: 1007, reason: '', retry: false },
  messageTooBig: { code: 1009, reason: 'Message too big', retry: false },
  internalError: { code: 1011, reason: 'Internal error', retry: false },
  unauthorized: { code: 4001, reason: 'Unauthorized', retry: false },
  badRequest: { code: 4002, reason: 'Bad request', retry: false },
  outOfCredit: { code: 4003, reason: 'Insufficient credits', retry: false },
  shuttingDown: { code: 4010, reason: 'Server shutting down', retry: true },
  noInstance: { code: 4013, reason: 'No instance available', retry: true },
  tooManyRequests: { code: 4029, reason: 'Too many requests', retry: false },
} as const satisfies Record<string, CloseRule>;

/** The text frame with which a client ends its audio. */
export const END_OF_STREAM = 'EOS';

/** Maximum size of a close reason in UTF-8 bytes (RFC 6455, section 5.5: 125 less the code). */
export const MAX_CLOSE_REASON_BYTES = 123;

/** Returns the reason for a close frame, cut to its size limit, but never within a character. */
export function closeReason(rule: CloseRule, why?: string): string {
  const reason = why ? `${rule.reason}: ${why}` : rule.reason;
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_CLOSE_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_CLOSE_REASON_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}
