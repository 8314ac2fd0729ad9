import type { Readable } from 'node:stream';
import { Observable } from 'rxjs';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { MARK, Supply } from '../../flow/demand.ts';
import type { Gate } from '../../flow/gate.ts';
import type { AudioWarning, OnAudioWarning } from '../format/audioWarning.ts';
import { type AudioBlock, endSecondsOf, kindOf } from '../format/format.ts';

/** Options of every source of audio that is stored or piped. */
export interface SourceOptions {
  /** While closed, the gate pauses the reading; the consumers of the pipeline do so by themselves. */
  readonly gate?: Gate;
  /** Called for each damage, before the source completes. Default: a process warning. */
  readonly onWarning?: OnAudioWarning;
}

/** Emits a process warning, which Node prints on stderr by default. */
export function warnProcess({ code, message }: AudioWarning): void {
  process.emitWarning(message, { type: 'AudioWarning', code });
}

export interface BlockSourceOptions {
  readonly gate?: Gate;
  /** True for audio that is lost when it is not read in time. Default false. */
  readonly isLive?: boolean;
}

/**
 * Returns an Observable of the blocks of `read`, which is called once for each subscriber. Each block waits until the gate
 * is open and the consumers of the pipeline want more. Unsubscribing aborts the signal: `read` must then release its
 * resources, even when no block is being requested.
 */
export function blockSource(
  read: (signal: AbortSignal) => AsyncIterable<AudioBlock>,
  { gate, isLive = false }: BlockSourceOptions = {},
): Observable<AudioBlock> {
  return new Observable(subscriber => {
    const teardown = new AbortController();
    const { signal } = teardown;
    const supply = isLive ? undefined : new Supply();
    const end = (emit: () => void) => (supply ? supply.end(emit) : emit());
    async function run(): Promise<void> {
      const blocks = read(signal);
      await whenOpen(gate, signal);
      for await (const block of blocks) {
        if (signal.aborted) return;
        const seconds = endSecondsOf(block);
        subscriber.next(supply ? { ...block, [MARK]: supply.mark(seconds) } : block);
        await whenOpen(gate, signal);
        await supply?.whenWanted(seconds, signal);
      }
      end(() => subscriber.complete());
    }
    // After unsubscribing, the only possible error is the abort itself.
    run().catch(error => end(() => subscriber.error(error)));
    return () => teardown.abort();
  });
}

/** Another waiter may close the gate again before this one runs, hence the loop. */
async function whenOpen(gate: Gate | undefined, signal: AbortSignal): Promise<void> {
  while (gate && !gate.isOpen) await gate.whenOpen(signal);
}

/** Bytes of one read, and the most that one block is made of. */
export const READ_BYTES = 32 * 1024;

/**
 * Returns the bytes of a stream, in pieces of at most {@link READ_BYTES}. They can be read once. Aborting the signal
 * destroys the stream, even when it is not being read.
 *
 * @throws RxscribeError `audio-missing` when the stream fails, `invalid-argument` when it holds text or objects
 */
export function bytesOf(stream: Readable, signal: AbortSignal): AsyncIterable<Uint8Array> {
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  // A stream may fail while a closed gate holds up the reading; the iteration throws the error later.
  stream.on('error', () => {});
  return readPieces(stream);
}

async function* readPieces(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      if (!ArrayBuffer.isView(chunk)) {
        throw new InvalidArgumentError(`An audio stream must contain bytes, not ${kindOf(chunk)}.`);
      }
      const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let at = 0; at < bytes.length; at += READ_BYTES) yield bytes.subarray(at, at + READ_BYTES);
    }
  } catch (error) {
    if (error instanceof RxscribeError) throw error;
    throw new RxscribeError('audio-missing', `Cannot read audio: ${reasonOf(error)}.`, { cause: error });
  }
}
