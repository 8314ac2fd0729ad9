import type { Readable } from 'node:stream';
import { Observable } from 'rxjs';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import type { AudioBlock } from '../format/format.ts';

/** Damage that left audio to work with. */
export interface AudioWarning {
  /** `audio-truncated`: the end is missing. `audio-damaged`: a part is missing or wrong. */
  readonly code: 'audio-truncated' | 'audio-damaged';
  readonly message: string;
}

/** Options of every source of audio that is stored or piped. */
export interface SourceOptions {
  /** While it is closed nothing more is read. */
  readonly gate?: Gate;
  /** Told of damage before the source completes. Default {@link warnProcess}. */
  readonly onWarning?: (warning: AudioWarning) => void;
}

/** Makes a warning one of the process, which Node prints unless told otherwise. */
export function warnProcess({ code, message }: AudioWarning): void {
  process.emitWarning(message, { type: 'AudioWarning', code });
}

/**
 * An Observable of the blocks that `read` gives, one `read` for each subscriber. The gate is waited for before every
 * block. Unsubscribing aborts the signal: `read` must then give back what it holds, also when nobody asks for more.
 */
export function blockSource(
  read: (signal: AbortSignal) => AsyncIterable<AudioBlock>,
  gate?: Gate,
): Observable<AudioBlock> {
  return new Observable(subscriber => {
    const teardown = new AbortController();
    const { signal } = teardown;
    async function run(): Promise<void> {
      const blocks = read(signal);
      await whenOpen(gate, signal);
      for await (const block of blocks) {
        if (signal.aborted) return;
        subscriber.next(block);
        await whenOpen(gate, signal);
      }
      subscriber.complete();
    }
    // After unsubscribing this is the news of the abort, which nobody wants.
    run().catch(error => subscriber.error(error));
    return () => teardown.abort();
  });
}

/** Others may close the gate again between its opening and our turn. */
async function whenOpen(gate: Gate | undefined, signal: AbortSignal): Promise<void> {
  while (gate && !gate.isOpen) await gate.whenOpen(signal);
}

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
