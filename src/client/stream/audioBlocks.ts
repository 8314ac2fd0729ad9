import type { AudioContentType } from '../../audio/format/contentType.ts';
import { type AudioBlock, bytesPerFrame, framesOf, type PcmFormat } from '../../audio/format/format.ts';
import { encodePcm, encodePcmInto } from '../../audio/pcm/pcm.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Chunk } from '../spool/spool.ts';

/** Maximum length of a sent WebSocket frame, in bytes: services have limits. */
export const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * Returns a function that checks the blocks of one source, in order, and cuts those that are longer than
 * {@link MAX_CHUNK_BYTES}.
 *
 * The returned function throws InvalidArgumentError for another rate or number of channels than that of the format, for a
 * part of a frame, and when the source goes back in time.
 */
export function createBlockChecker(format: PcmFormat): (block: AudioBlock) => readonly AudioBlock[] {
  const maxFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
  let nextFrame = 0;
  return block => {
    checkBlock(block, format, nextFrame);
    const frames = framesOf(block);
    nextFrame = block.startFrame + frames;
    return frames <= maxFrames ? [block] : split(block, maxFrames);
  };
}

/** Returns a function that encodes the blocks of one stream for the wire. The bytes are only valid until its next call. */
export function createBlockEncoder(format: PcmFormat): (block: AudioBlock) => Chunk {
  // Memory of its own for each block would keep the garbage collector busy.
  let encoded = new Uint8Array();
  return block => {
    const frames = framesOf(block);
    const byteLength = frames * bytesPerFrame(format);
    if (encoded.length !== byteLength) encoded = new Uint8Array(byteLength);
    encodePcmInto(block.samples, format.sampleFormat, encoded);
    return { startFrame: block.startFrame, frames, bytes: encoded };
  };
}

/** Returns frames of silence, encoded for the wire. */
export function silence(
  { sampleFormat, channels }: PcmFormat,
  frames: number,
): Pick<Chunk, 'bytes' | 'frames'> {
  return { frames, bytes: encodePcm(new Float32Array(frames * channels), sampleFormat) };
}

/** Describes the bytes of chunks to a service. */
export function contentTypeOf(format: PcmFormat): AudioContentType {
  return { kind: 'raw', layout: 'interleaved', format };
}

function split(block: AudioBlock, maxFrames: number): readonly AudioBlock[] {
  const { startFrame, channels, samples } = block;
  return Array.from({ length: Math.ceil(framesOf(block) / maxFrames) }, (_, index) => {
    const from = index * maxFrames;
    const part = samples.subarray(from * channels, (from + maxFrames) * channels);
    return { ...block, startFrame: startFrame + from, samples: part };
  });
}

function checkBlock(block: AudioBlock, format: PcmFormat, nextFrame: number): void {
  if (block.sampleRate !== format.sampleRate || block.channels !== format.channels) {
    throw new InvalidArgumentError(
      `Cannot stream audio of ${block.sampleRate} Hz with ${block.channels} channels: ` +
        `the stream began with ${format.sampleRate} Hz and ${format.channels}. Resample it, or begin another stream.`,
    );
  }
  if (!Number.isInteger(framesOf(block))) {
    throw new InvalidArgumentError(
      `Cannot stream a block of ${block.samples.length} samples: ` +
        `it must hold whole frames of ${block.channels} samples.`,
    );
  }
  if (!(Number.isInteger(block.startFrame) && block.startFrame >= nextFrame)) {
    throw new InvalidArgumentError(
      `Cannot stream a block that starts at frame ${block.startFrame}: ` +
        `the next one must start at frame ${nextFrame} or later.`,
    );
  }
}
