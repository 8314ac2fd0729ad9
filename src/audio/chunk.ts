import type { MonoTypeOperatorFunction } from 'rxjs';
import { InvalidArgumentError } from '../base/errors.ts';
import { type Transducer, transduce } from '../flow/transduce.ts';
import { type AudioBlock, requireBlock, requireSameFormat } from './format/format.ts';

export const CHUNK_DEFAULTS = { durationMs: 100 } as const;

/**
 * Blocks of one size, however the audio comes in: `durationMs` at the rate of the stream, rounded to whole frames (so
 * 10 ms at 22.05 kHz are 221 frames, all of them; positions tell the time). The last one, and one before a gap, may be
 * shorter. Samples are copied only where a chunk spans blocks.
 *
 * The stream fails with InvalidArgumentError when rate or channels change within it.
 *
 * @throws InvalidArgumentError when the duration is not a positive number
 */
export function chunk(durationMs: number = CHUNK_DEFAULTS.durationMs): MonoTypeOperatorFunction<AudioBlock> {
  if (!(durationMs > 0 && Number.isFinite(durationMs))) {
    throw new InvalidArgumentError(`chunk: wanted a positive number of milliseconds, found ${durationMs}`);
  }
  return transduce(() => createChunker(durationMs));
}

function createChunker(durationMs: number): Transducer<AudioBlock, AudioBlock> {
  let first: AudioBlock | undefined;
  /** Samples in a chunk. */
  let size = 0;
  /** The chunk that is not full yet, and how many samples it has. */
  let open = new Float32Array(0);
  let filled = 0;
  /** Where the open chunk begins. */
  let startFrame = 0;

  function* give(samples: Float32Array): Generator<AudioBlock> {
    const { sampleRate, channels } = first!;
    yield { startFrame, sampleRate, channels, samples };
    startFrame += samples.length / channels;
  }

  function* end(): Generator<AudioBlock> {
    if (filled > 0) yield* give(open.subarray(0, filled));
    filled = 0;
  }

  return {
    *next(block) {
      requireBlock('chunk', block);
      if (!first) {
        first = block;
        size = framesIn(durationMs, block.sampleRate) * block.channels;
      }
      requireSameFormat('chunk', first, block);
      const { samples, channels } = block;
      if (block.startFrame !== startFrame + filled / channels) {
        yield* end();
        startFrame = block.startFrame;
      }
      for (let at = 0; at < samples.length; ) {
        const part = samples.subarray(at, at + size - filled);
        at += part.length;
        if (part.length === size) {
          yield* give(part);
          continue;
        }
        if (filled === 0) open = new Float32Array(size);
        open.set(part, filled);
        filled += part.length;
        if (filled === size) yield* end();
      }
    },
    end,
  };
}

function framesIn(durationMs: number, sampleRate: number): number {
  return Math.max(1, Math.round((durationMs * sampleRate) / 1000));
}
