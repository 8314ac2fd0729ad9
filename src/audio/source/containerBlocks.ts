import { RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { createWavReader } from '../pcm/wav.ts';
import { createWavHeaderReader } from '../pcm/wavHeader.ts';
import type { AudioWarning } from './blockSource.ts';
import { decodeBytes } from './decode.ts';
import { type Container, SNIFF_BYTES, sniffContainer } from './sniff.ts';

export interface ContainerOptions {
  /** Aborting it must also end `bytes`. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: AudioWarning) => void;
  /** Reads formats that are not read natively. Default: pipes the bytes to ffmpeg. */
  readonly decode?: (container: Container | undefined) => AsyncIterable<AudioBlock>;
}

/**
 * Yields the blocks of audio in a container, which is detected from the bytes. WAV with a common codec is read natively;
 * ffmpeg decodes everything else.
 *
 * @throws RxscribeError `audio-empty` when there are no bytes; the errors of `createWavReader`, `decodeBytes` and `bytes`
 */
export async function* containerBlocks(
  bytes: AsyncIterable<Uint8Array>,
  options: ContainerOptions,
): AsyncGenerator<AudioBlock> {
  const preview = createPreview(bytes);
  const container = await sniff(preview);
  if (container === 'wav' && (await isNative(preview))) {
    yield* wavBlocks(preview.fromStart(), options);
  } else {
    const { decode = () => decodeBytes(preview.fromStart(), { ...options, container }) } = options;
    yield* decode(container);
  }
}

/** A byte stream whose beginning can be inspected before it is read. */
interface Preview {
  /** Resolves with the piece at `index` from the start, or undefined beyond the end. */
  piece(index: number): Promise<Uint8Array | undefined>;
  /** Yields all pieces, and buffers no more of them. */
  fromStart(): AsyncGenerator<Uint8Array>;
}

function createPreview(bytes: AsyncIterable<Uint8Array>): Preview {
  const rest = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  return {
    async piece(index) {
      while (seen.length <= index) {
        const { done, value } = await rest.next();
        if (done) return undefined;
        seen.push(value);
      }
      return seen[index];
    },
    async *fromStart() {
      yield* seen.splice(0);
      yield* { [Symbol.asyncIterator]: () => rest };
    },
  };
}

async function sniff(preview: Preview): Promise<Container | undefined> {
  let head = new Uint8Array(0);
  for (let i = 0; head.length < SNIFF_BYTES; i++) {
    const piece = await preview.piece(i);
    if (!piece) break;
    head = Buffer.concat([head, piece.subarray(0, SNIFF_BYTES)]);
  }
  if (head.length === 0) throw new RxscribeError('audio-empty', 'Cannot read audio: it is empty.');
  return sniffContainer(head);
}

/** Returns whether the codec of a WAV file is read natively. The reader reports a header that is cut short. */
async function isNative(preview: Preview): Promise<boolean> {
  const reader = createWavHeaderReader();
  try {
    for (let i = 0; !reader.header; i++) {
      const piece = await preview.piece(i);
      if (!piece) break;
      reader.push(piece);
    }
    return true;
  } catch (error) {
    if (error instanceof RxscribeError && error.code === 'audio-unsupported') return false;
    throw error;
  }
}

async function* wavBlocks(
  bytes: AsyncIterable<Uint8Array>,
  { onWarning }: ContainerOptions,
): AsyncGenerator<AudioBlock> {
  const reader = createWavReader();
  for await (const piece of bytes) {
    const block = reader.push(piece);
    if (block) yield block;
  }
  const { frames, lostBytes } = reader.end();
  if (lostBytes > 0) {
    const message = `The WAV file is cut short: its last ${lostBytes} bytes are missing, after frame ${frames}.`;
    onWarning({ code: 'audio-truncated', message });
  }
}
