import fc from 'fast-check';
import type { AudioBlock } from '../../src/audio/format/format.ts';

/** A block of samples that count up from its position, so that every sample encodes its position. */
export function rampBlock(startFrame: number, frames: number, sampleRate = 16_000, channels = 1): AudioBlock {
  const samples = Float32Array.from({ length: frames * channels }, (_, i) => startFrame * channels + i);
  return { startFrame, sampleRate, channels, samples };
}

/** A stream cut after each of the given numbers of frames. */
export function cutBlock(block: AudioBlock, cuts: readonly number[]): AudioBlock[] {
  const blocks: AudioBlock[] = [];
  const frames = block.samples.length / block.channels;
  let at = 0;
  for (const size of [...cuts, frames]) {
    const end = Math.min(at + size, frames);
    const samples = block.samples.subarray(at * block.channels, end * block.channels);
    blocks.push({ ...block, startFrame: block.startFrame + at, samples });
    at = end;
  }
  return blocks;
}

/** Sizes to cut a stream at, from nothing to more than a slice of the resampler. */
export const someCuts = fc.array(fc.oneof(fc.nat(5), fc.nat(300), fc.nat(6000)), { maxLength: 20 });

export function joinSamples(blocks: readonly AudioBlock[]): Float32Array {
  return Float32Array.from(blocks.flatMap(block => [...block.samples]));
}
