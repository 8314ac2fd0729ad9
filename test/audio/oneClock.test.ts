import fc from 'fast-check';
import { BehaviorSubject, from, lastValueFrom, type OperatorFunction, Subject, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../src/audio/chunk.ts';
import { type AudioBlock, framesOf } from '../../src/audio/format/format.ts';
import { type FrameRange, joinRanges } from '../../src/audio/format/frameRange.ts';
import { pausable } from '../../src/audio/pausable.ts';
import { resample } from '../../src/audio/resample/resample.ts';

const through = (blocks: readonly AudioBlock[], operator: OperatorFunction<AudioBlock, AudioBlock>) =>
  lastValueFrom(from(blocks).pipe(operator, toArray()));

/** Returns the ranges that blocks cover; adjacent blocks are one range. */
function runsOf(blocks: readonly AudioBlock[]): FrameRange[] {
  const runs: FrameRange[] = [];
  for (const block of blocks) {
    const endFrame = block.startFrame + framesOf(block);
    const last = runs.at(-1);
    if (last?.endFrame === block.startFrame) runs.splice(-1, 1, { ...last, endFrame });
    else runs.push({ startFrame: block.startFrame, endFrame });
  }
  return runs;
}

/** The same time at another rate: the first frame that is not before it. */
const atRate = (frame: number, from: number, to: number) =>
  Number((BigInt(frame) * BigInt(to) + BigInt(from) - 1n) / BigInt(from));

const rate = fc.constantFrom(8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 47_999, 48_000);
/** From nothing to days. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(3) },
  fc.nat(5000),
  fc.nat(1e10),
);
const frames = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2000 }));
const pieces = fc.array(fc.record({ gap, frames, isPaused: fc.boolean() }), { minLength: 1, maxLength: 25 });

interface Piece {
  readonly gap: number;
  readonly frames: number;
}

/** Blocks with gaps between them, whose samples are `place(frame)`. */
function blocksOf(
  parts: readonly Piece[],
  sampleRate: number,
  place: (frame: number) => number,
): AudioBlock[] {
  let at = 0;
  return parts.map(({ gap, frames }) => {
    const startFrame = at + gap;
    at = startFrame + frames;
    const samples = Float32Array.from({ length: frames }, (_, i) => place(startFrame + i));
    return { startFrame, sampleRate, channels: 1, samples };
  });
}

/** A number that a sample can hold exactly, and that is another one for all frames nearby. */
const placeOf = (frame: number) => frame % 65_521;

describe('a position is a count of frames since the start of the source', () => {
  test('in chunks, whatever the gaps: each sample keeps its position', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, rate, fc.integer({ min: 1, max: 120 }), async (parts, sampleRate, ms) => {
        const blocks = blocksOf(parts, sampleRate, placeOf);
        const chunks = await through(blocks, chunk(ms));
        expect(runsOf(chunks)).toEqual(runsOf(blocks));
        for (const { startFrame, samples } of chunks) {
          expect([...samples]).toEqual(Array.from(samples, (_, i) => placeOf(startFrame + i)));
        }
      }),
    );
  });

  test('of a sound at another rate, too, behind any gaps', async () => {
    const runs = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 1e9 }), frames: fc.integer({ min: 1500, max: 3000 }) }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(runs, rate, rate, async (parts, inputRate, outputRate) => {
        const blocks = blocksOf(parts, inputRate, () => 0);
        const clicks = blocks.map(({ startFrame, samples }) => {
          samples[750] = 1;
          return ((startFrame + 750) * outputRate) / inputRate;
        });
        const output = await through(blocks, resample({ sampleRate: outputRate }));
        const heard = output.flatMap(({ startFrame, samples }) => {
          const loudest = samples.reduce((best, sample, i) => (sample > samples[best]! ? i : best), 0);
          return samples[loudest]! > 0.1 ? [startFrame + loudest] : [];
        });
        expect(heard).toHaveLength(clicks.length);
        for (const [i, frame] of heard.entries()) expect(Math.abs(frame - clicks[i]!)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

/** A whole pipeline, with pauses as the pieces say. */
async function played(
  parts: readonly (Piece & { isPaused: boolean })[],
  rates: Rates,
  clock: 'run' | 'stop',
) {
  const paused$ = new BehaviorSubject(false);
  const source = new Subject<AudioBlock>();
  const stages = source.pipe(
    pausable({ paused$, clock }),
    resample({ sampleRate: rates.output }),
    chunk(20),
    toArray(),
  );
  const output = lastValueFrom(stages);
  const passed: AudioBlock[] = [];
  for (const [i, block] of blocksOf(parts, rates.input, placeOf).entries()) {
    paused$.next(parts[i]!.isPaused);
    if (!parts[i]!.isPaused) passed.push(block);
    source.next(block);
  }
  source.complete();
  return { passed, output: await output };
}

interface Rates {
  readonly input: number;
  readonly output: number;
}

describe('through pauses, resampling and chunking', () => {
  const rates = fc.record({ input: rate, output: rate });

  test('positions are those of the source, while the clock runs', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, rates, async (parts, rates) => {
        const { passed, output } = await played(parts, rates, 'run');
        const wanted = runsOf(passed).map(({ startFrame, endFrame }) => ({
          startFrame: atRate(startFrame, rates.input, rates.output),
          endFrame: atRate(endFrame, rates.input, rates.output),
        }));
        expect(runsOf(output)).toEqual(joinRanges(wanted));
      }),
    );
  });

  test('positions count the emitted frames while the clock stops, if the source has no gaps', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, rates, async (parts, rates) => {
        const whole = parts.map(part => ({ ...part, gap: 0 }));
        const { passed, output } = await played(whole, rates, 'stop');
        const count = passed.reduce((sum, block) => sum + framesOf(block), 0);
        const endFrame = atRate(count, rates.input, rates.output);
        expect(runsOf(output)).toEqual(joinRanges([{ startFrame: 0, endFrame }]));
      }),
    );
  });
});
