import type { MonoTypeOperatorFunction } from 'rxjs';
import { refuseIf } from '../base/errors.ts';
import { type Transducer, transduce } from '../flow/transduce.ts';
import { type AudioBlock, originOf, requireBlock, requireSameFormat } from './format/format.ts';

/** Defaults of {@link chunk}. */
export const CHUNK_DEFAULTS = { durationMs: 100 } as const;

/**
 * Cuts audio into blocks of equal length. The length is rounded to whole frames: 10 ms at 22.05 kHz are 221 frames in every
 * block, so take times from `startFrame`, not from a count of blocks. The last block, and the last one before a gap, may be
 * shorter. Samples are copied only where a chunk spans several blocks.
 *
 * The stream fails with an InvalidArgumentError when the sample rate or the number of channels changes within it.
 *
 * @param durationMs milliseconds in a block, above 0; default 100
 * @throws InvalidArgumentError when the duration is not a positive number
 * @example
 * import { chunk, fromFile, resample } from 'rxscribe';
 *
 * fromFile('talk.wav')
 *   .pipe(resample(), chunk(100))
 *   .subscribe(({ startFrame, samples }) => console.log(startFrame, samples.length));
 */
export function chunk(durationMs: number = CHUNK_DEFAULTS.durationMs): MonoTypeOperatorFunction<AudioBlock> {
  refuseIf(
    !(durationMs > 0 && Number.isFinite(durationMs)),
    `The duration of a chunk must be a positive number of milliseconds, not ${durationMs}.`,
  );
  return transduce(() => createChunker(durationMs));
}

function createChunker(durationMs: number): Transducer<AudioBlock, AudioBlock> {
  let first: AudioBlock | undefined;
  let origin: Partial<AudioBlock> = {};
  /** Samples in a full chunk. */
  let size = 0;
  /** The chunk being filled, and its number of samples so far. */
  let open = new Float32Array(0);
  let filled = 0;
  /** First frame of the chunk being filled. */
  let startFrame = 0;

  function* give(samples: Float32Array): Generator<AudioBlock> {
    const { sampleRate, channels } = first!;
    yield { startFrame, sampleRate, channels, samples, ...origin };
    startFrame += samples.length / channels;
  }

  function* end(): Generator<AudioBlock> {
    if (filled > 0) yield* give(open.subarray(0, filled));
    filled = 0;
  }

  return {
    *next(block) {
      requireBlock('chunk', block);
      origin = originOf(block);
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
