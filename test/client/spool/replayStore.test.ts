import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrameRange } from '../../../src/audio/frameRange.ts';
import { createReplayStore } from '../../../src/client/spool/createReplayStore.ts';
import { bytesAt, chunkAt, storeModel } from '../../helpers/replayModel.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;

type Step =
  | { readonly type: 'append'; readonly frames: number; readonly gap: number }
  | { readonly type: 'keep'; readonly range: FrameRange }
  | { readonly type: 'letGo'; readonly range: FrameRange }
  | { readonly type: 'letGoKept'; readonly index: number }
  | { readonly type: 'release'; readonly part: number }
  | { readonly type: 'read'; readonly part: number; readonly maxFrames: number };

const range = fc
  .tuple(fc.nat(200), fc.nat(60))
  .map(([startFrame, frames]) => ({ startFrame, endFrame: startFrame + frames }));

const step: fc.Arbitrary<Step> = fc.oneof(
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
  { weight: 1, arbitrary: fc.record({ type: fc.constant('letGoKept'), index: fc.nat(5) }) },
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

describe('a replay store', () => {
  test('is what a plain list of frames would be, whatever is in memory and whatever in the file', () => {
    const memorySeconds = fc.constantFrom(0, 1, 3, 1000);
    fc.assert(
      fc.property(memorySeconds, fc.array(step, { maxLength: 120 }), (seconds, steps) => {
        const store = createReplayStore({ format, memorySeconds: seconds });
        const model = storeModel();
        const kept: FrameRange[] = [];
        try {
          for (const one of steps) {
            if (one.type === 'append') {
              const chunk = chunkAt(store.headFrame + one.gap, one.frames);
              store.append(chunk);
              model.append(chunk);
            } else if (one.type === 'keep') {
              store.keep(one.range);
              model.keep(one.range);
              kept.push(one.range);
            } else if (one.type === 'letGo') {
              store.letGo(one.range);
              model.letGo(one.range);
            } else if (one.type === 'letGoKept') {
              const [range] = kept.splice(one.index, 1);
              if (!range) continue;
              store.letGo(range);
              model.letGo(range);
            } else if (one.type === 'release') {
              const frame = Math.floor(store.headFrame * one.part);
              store.release(frame);
              model.release(frame);
            } else {
              const frame = Math.floor(store.headFrame * one.part);
              model.check(store.read(frame, one.maxFrames), frame, one.maxFrames);
            }
            expect(store.headFrame).toBe(model.headFrame);
          }
          for (let frame = 0; frame < store.headFrame; frame += 7)
            model.check(store.read(frame, 50), frame, 50);
        } finally {
          store.close();
        }
      }),
      { numRuns: 500 },
    );
  });

  test('takes no more memory than it may, and two pages, with an hour of audio in it', () => {
    const store = createReplayStore({ format, memorySeconds: 60 });
    const pageBytes = 20;
    for (let frame = 0; frame < 36_000; frame += 5) {
      store.append(chunkAt(frame, 5));
      expect(store.memoryBytes).toBeLessThanOrEqual(61 * pageBytes);
    }
    expect(store.fileBytes).toBeGreaterThan(3500 * pageBytes);
    for (let frame = 0; frame < 36_000; frame += 100) {
      expect(store.read(frame, 100)).toEqual(chunkAt(frame, 100));
      expect(store.memoryBytes).toBeLessThanOrEqual(62 * pageBytes);
    }
    store.close();
    expect([store.memoryBytes, store.fileBytes]).toEqual([0, 0]);
  });

  test('needs no file while all that is needed has room in memory', () => {
    const store = createReplayStore({ format, memorySeconds: 10, directory: '/nonexistent' });
    for (let frame = 0; frame < 36_000; frame += 5) {
      store.append(chunkAt(frame, 5));
      store.release(frame - 80);
    }
    expect(store.fileBytes).toBe(0);
    store.close();
  });

  test('reads across pages, up to a gap and no further', () => {
    const store = createReplayStore({ format });
    store.append(chunkAt(0, 35));
    store.append(chunkAt(50, 7));
    expect(store.read(3, 100)).toEqual(chunkAt(3, 32));
    expect(store.read(35, 100)).toEqual(chunkAt(50, 7));
    expect(store.read(52, 2)).toEqual(chunkAt(52, 2));
    expect(store.read(57, 100)).toBeUndefined();
    store.close();
  });

  test('does not count a second for every piece between two gaps', () => {
    const store = createReplayStore({ format, memorySeconds: 1000 });
    for (let frame = 0; frame < 1000; frame += 2) store.append(chunkAt(frame, 1));
    expect(store.memoryBytes).toBeLessThan(500 * 2 + 20);
    store.close();
  });

  test('has what is kept twice until it is let go twice', () => {
    const store = createReplayStore({ format });
    store.keep({ startFrame: 5, endFrame: 25 });
    store.keep({ startFrame: 17, endFrame: 35 });
    store.append(chunkAt(0, 100));
    store.release(100);
    store.letGo({ startFrame: 5, endFrame: 25 });
    expect(store.read(17, 18)).toEqual(chunkAt(17, 18));
    store.letGo({ startFrame: 17, endFrame: 35 });
    expect(store.read(0, 100)).toBeUndefined();
    expect(store.memoryBytes).toBe(0);
    store.close();
  });

  test('does not hold what was released before it came', () => {
    const store = createReplayStore({ format });
    store.release(100);
    for (let frame = 0; frame < 80; frame += 5) store.append(chunkAt(frame, 5));
    expect(store.memoryBytes).toBe(0);
    store.append(chunkAt(80, 30));
    expect(store.read(100, 100)).toEqual(chunkAt(100, 10));
    store.close();
  });

  test.each([
    ['a start behind its head', () => ({ ...chunkAt(0, 5), startFrame: 9 }), /at least frame 10, found 9/],
    [
      'bytes that are no such frames',
      () => ({ startFrame: 10, frames: 3, bytes: bytesAt(10, 2) }),
      /wanted 6 bytes/,
    ],
  ])('refuses %s', (_, chunk, message) => {
    const store = createReplayStore({ format });
    store.append(chunkAt(0, 10));
    expect(() => store.append(chunk())).toThrow(message);
    expect(store.headFrame).toBe(10);
    store.close();
  });

  test('takes nothing when it is closed, and has nothing', () => {
    const store = createReplayStore({ format });
    store.append(chunkAt(0, 10));
    store.close();
    store.close();
    expect(store.read(0, 10)).toBeUndefined();
    expect(() => store.append(chunkAt(10, 10))).toThrow(/the store is closed/);
  });
});
