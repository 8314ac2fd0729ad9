import { type AudioBlock, bytesPerFrame, framesOf, type PcmFormat } from '../../audio/format/format.ts';
import { InvalidArgumentError } from '../../base/errors.ts';

/** The longest frame of a WebSocket that is sent; services have limits. */
export const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * Lets the blocks of one source through; cuts those that are very long.
 *
 * The returned function throws InvalidArgumentError when the rate or the number of channels is not that of the format,
 * when a frame is cut, or when the source goes back in time.
 */
export function createBlockGuard(format: PcmFormat): (block: AudioBlock) => readonly AudioBlock[] {
  const maxFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
  let nextFrame = 0;
  return block => {
    checkBlock(block, format, nextFrame);
    const frames = framesOf(block);
    nextFrame = block.startFrame + frames;
    return frames <= maxFrames ? [block] : split(block, maxFrames);
  };
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
