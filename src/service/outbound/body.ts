import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { describeConnectionError, OutboundError, tooLate } from './outboundError.ts';

export interface BodyOptions {
  readonly maxBytes: number;
  /** Between two pieces. */
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  /** Its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * The body of an answer, piece by piece. Nothing is read that is not asked for, and time counts only while it is: whoever
 * writes slowly is not held against the sender. Whoever has the answer destroys it in the end.
 *
 * @throws the signal's reason; OutboundError when there is more than may be, or not what was announced
 */
export async function* bodyOf(answer: IncomingMessage, options: BodyOptions): AsyncGenerator<Uint8Array> {
  const { maxBytes, stallTimeoutMs, clock, signal } = options;
  const announced = announcedBytes(answer);
  let bytes = 0;
  try {
    if (announced !== undefined && announced > maxBytes) throw tooLarge(maxBytes);
    const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
    while (true) {
      const piece = await withTimeout(pieces.next(), { clock, signal, timeoutMs: stallTimeoutMs });
      if (piece.done) return;
      bytes += piece.value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield piece.value;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RxscribeError && error.code === 'timeout') {
      throw tooLate('more of the body', stallTimeoutMs);
    }
    throw otherThanAnnounced(error, { answer, announced, bytes }) ?? describeConnectionError(error);
  }
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError(`wanted at most ${maxBytes} bytes, found more`);
}

/** The error of a body that is shorter than announced, or visibly longer: after the announced end, few look. */
function otherThanAnnounced(
  error: unknown,
  { answer, announced, bytes }: { answer: IncomingMessage; announced: number | undefined; bytes: number },
): OutboundError | undefined {
  if (announced === undefined) return undefined;
  const cause = error instanceof OutboundError ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const wanted = `wanted ${announced} bytes as announced`;
  if (code === 'ECONNRESET') return new OutboundError(`${wanted}, found ${bytes}`, { cause: error });
  if (code?.startsWith('HPE_') && answer.complete) {
    return new OutboundError(`${wanted}, found more`, { cause: error });
  }
  return undefined;
}
