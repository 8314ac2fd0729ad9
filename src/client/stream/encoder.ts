import type { AudioContentType } from '../../audio/contentType.ts';
import { type AudioBlock, bytesPerFrame, framesOf, type PcmFormat } from '../../audio/format.ts';
import { encodePcm } from '../../audio/pcm.ts';
import { InvalidArgumentError } from '../../base/errors.ts';

/** Audio as it goes on the wire. */
export interface Chunk {
  /** Frames since the start of the source. */
  readonly startFrame: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** The longest frame of a WebSocket that is sent; services have limits. */
export const MAX_CHUNK_BYTES = 256 * 1024;

/** What a service is told about the bytes of chunks. */
export function contentTypeOf(format: PcmFormat): AudioContentType {
  return { kind: 'raw', layout: 'interleaved', format };
}

/**
 * Makes chunks of the blocks of one source: one of each, unless it is very long.
 *
 * The returned function throws InvalidArgumentError when the rate or the number of channels is not that of the format,
 * when a frame is cut, or when the source goes back in time.
 */
export function createEncoder(format: PcmFormat): (block: AudioBlock) => readonly Chunk[] {
  const maxFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
  let nextFrame = 0;
  return block => {
    checkBlock(block, format, nextFrame);
    const frames = framesOf(block);
    nextFrame = block.startFrame + frames;
    if (frames === 0) return [];
    const bytes = encodePcm(block.samples, format.sampleFormat);
    const whole = { startFrame: block.startFrame, frames, bytes };
    return frames <= maxFrames ? [whole] : split(whole, maxFrames);
  };
}

function split({ startFrame, frames, bytes }: Chunk, maxFrames: number): readonly Chunk[] {
  const width = bytes.length / frames;
  return Array.from({ length: Math.ceil(frames / maxFrames) }, (_, index) => {
    const from = index * maxFrames;
    const to = Math.min(frames, from + maxFrames);
    return {
      startFrame: startFrame + from,
      frames: to - from,
      bytes: bytes.subarray(from * width, to * width),
    };
  });
}

function checkBlock(block: AudioBlock, format: PcmFormat, nextFrame: number): void {
  if (block.sampleRate !== format.sampleRate || block.channels !== format.channels) {
    throw new InvalidArgumentError(
      `stream audio: wanted ${format.sampleRate} Hz with ${format.channels} channels throughout, ` +
        `found ${block.sampleRate} Hz with ${block.channels}`,
    );
  }
  if (!Number.isInteger(framesOf(block))) {
    throw new InvalidArgumentError(
      `stream audio: wanted whole frames of ${block.channels} samples, found ${block.samples.length} samples`,
    );
  }
  if (!(Number.isInteger(block.startFrame) && block.startFrame >= nextFrame)) {
    throw new InvalidArgumentError(
      `stream audio: wanted a block from frame ${nextFrame} or later, found one from ${block.startFrame}`,
    );
  }
}
