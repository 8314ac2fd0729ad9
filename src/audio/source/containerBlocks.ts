import { RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { createWavReader } from '../pcm/wav.ts';
import { createWavHeaderReader } from '../pcm/wavHeader.ts';
import type { AudioWarning } from './blockSource.ts';
import { decodeBytes } from './decode.ts';
import { type Container, SNIFF_BYTES, sniffContainer } from './sniff.ts';

export interface ContainerOptions {
  /** Aborting must end `bytes`, too. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: AudioWarning) => void;
  /** A better way to what is not read natively. Default: ffmpeg is fed with the bytes. */
  readonly decode?: (container: Container | undefined) => AsyncIterable<AudioBlock>;
}

/**
 * Blocks of audio in a container that is found out from the bytes: WAV is read natively, unless its codec is an unusual
 * one; ffmpeg does the rest.
 *
 * @throws RxscribeError `audio-empty` for no bytes, else as `createWavReader` and `decodeBytes`, and what `bytes` throws
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

/** Bytes that are looked at before they are read. */
interface Preview {
  /** Piece `index` from the start, or undefined behind the end. */
  piece(index: number): Promise<Uint8Array | undefined>;
  /** All of them. From then on nothing is kept. */
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
  if (head.length === 0) throw new RxscribeError('audio-empty', 'read audio: wanted audio, found no bytes');
  return sniffContainer(head);
}

/** Whether we know the codec of a WAV file. An end within the header is left to the reader to name. */
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
    const message = `read WAV: the last ${lostBytes} bytes are missing, after ${frames} frames`;
    onWarning({ code: 'audio-truncated', message });
  }
}
