import type { Readable } from 'node:stream';
import { InvalidArgumentError, messageOf, RxscribeError } from '../base/errors.ts';

/** Bytes read at once, and the most that goes into one block. */
export const READ_BYTES = 32 * 1024;

/**
 * The bytes of a stream, in pieces of at most {@link READ_BYTES}. Aborting the signal destroys the stream, also when it
 * is not being read. To be read once.
 *
 * @throws RxscribeError `audio-missing` when the stream fails, `invalid-argument` when it holds text or objects
 */
export function bytesOf(stream: Readable, signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  // A stream may fail while a closed gate keeps us from reading; the iteration sees it later.
  stream.on('error', () => {});
  return readPieces(stream);
}

async function* readPieces(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) {
        throw new InvalidArgumentError(`read audio stream: wanted bytes, found a ${typeof chunk}`);
      }
      for (let at = 0; at < chunk.length; at += READ_BYTES) yield chunk.subarray(at, at + READ_BYTES);
    }
  } catch (error) {
    if (error instanceof RxscribeError) throw error;
    throw new RxscribeError('audio-missing', `read audio: ${messageOf(error)}`, { cause: error });
  }
}
