import fc from 'fast-check';
import { expect } from 'vitest';
import type { FrameRange } from '../../src/audio/format/frameRange.ts';
import type { ReplayStore } from '../../src/client/spool/spool.ts';
import { chunkAt, type StoreModel } from './replayModel.ts';

/** Operations on a replay store. */
export type ReplayStep =
  | { readonly type: 'append'; readonly frames: number; readonly gap: number }
  | { readonly type: 'keep'; readonly range: FrameRange }
  | { readonly type: 'letGo'; readonly range: FrameRange }
  | { readonly type: 'release'; readonly part: number }
  | { readonly type: 'read'; readonly part: number; readonly maxFrames: number };

// Few, so that what is kept is let go of and kept twice.
const range = fc
  .tuple(fc.nat(8), fc.nat(6))
  .map(([start, length]) => ({ startFrame: start * 23, endFrame: (start + length) * 23 }));

const step: fc.Arbitrary<ReplayStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('append'),
      frames: fc.nat(35),
      gap: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(20)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('keep'), range }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('letGo'), range }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('release'),
      part: fc.double({ min: 0, max: 1.2, noNaN: true }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('read'),
      part: fc.double({ min: 0, max: 1.1, noNaN: true }),
      maxFrames: fc.integer({ min: 1, max: 70 }),
    }),
  },
);

export const replaySteps = fc.array(step, { maxLength: 120 });

/** Does a step to a store and to its model; what is read must be the same. */
export function takeStep(one: ReplayStep, store: ReplayStore, model: StoreModel): void {
  if (one.type === 'append') {
    const chunk = chunkAt(store.headFrame + one.gap, one.frames);
    store.append(chunk);
    model.append(chunk);
  } else if (one.type === 'read') {
    const frame = Math.floor(store.headFrame * one.part);
    model.check(store.read(frame, one.maxFrames), frame, one.maxFrames);
  } else if (one.type === 'release') {
    const frame = Math.floor(store.headFrame * one.part);
    store.release(frame);
    model.release(frame);
  } else {
    store[one.type](one.range);
    model[one.type](one.range);
  }
  expect(store.headFrame).toBe(model.headFrame);
}

/** Reads a store from several frames on. */
export function checkAll(store: ReplayStore, model: StoreModel): void {
  for (let frame = 0; frame <= model.headFrame; frame += 7) model.check(store.read(frame, 50), frame, 50);
}
