import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { describeConnectionError, OutboundError, tooLate } from './outboundError.ts';

export interface BodyOptions {
  readonly maxBytes: number;
  /** Milliseconds between two pieces. */
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  /** Aborts the reading; the reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Yields the body of an answer. Reads nothing before it is requested, and measures time only during a read, so that a slow
 * writer is not held against the sender. The caller destroys the answer in the end.
 *
 * @throws the signal's reason; OutboundError when the body is too long, or differs from the announced length
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
      throw tooLate('further data', stallTimeoutMs);
    }
    throw otherThanAnnounced(error, { answer, announced, bytes }) ?? describeConnectionError(error);
  }
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError(`it has more than ${maxBytes} bytes`);
}

/** Returns the error of a body whose length differs from the announced one. */
function otherThanAnnounced(
  error: unknown,
  { answer, announced, bytes }: { answer: IncomingMessage; announced: number | undefined; bytes: number },
): OutboundError | undefined {
  if (announced === undefined) return undefined;
  const cause = error instanceof OutboundError ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ECONNRESET') {
    return new OutboundError(`it has ${bytes} bytes instead of the announced ${announced}`, { cause: error });
  }
  if (code?.startsWith('HPE_') && answer.complete) {
    return new OutboundError(`it has more than the announced ${announced} bytes`, { cause: error });
  }
  return undefined;
}
