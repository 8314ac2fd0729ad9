import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplayStore } from '../../../src/client/spool/createReplayStore.ts';
import { PagedAudio } from '../../../src/client/spool/pagedAudio.ts';
import { PartStore } from '../../../src/client/spool/partStore.ts';
import { bytesAt, chunkAt, storeModel } from '../../helpers/replayModel.ts';
import { checkAll, replaySteps, takeStep } from '../../helpers/replaySteps.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 10, channels: 1 } as const;

describe('a replay store', () => {
  test('returns the same audio as a plain list of frames, whatever is in memory or in the file', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 3, 1000), replaySteps, (memorySeconds, steps) => {
        const store = createReplayStore({ format, memorySeconds });
        const model = storeModel();
        try {
          for (const step of steps) takeStep(step, store, model);
          checkAll(store, model);
        } finally {
          store.close();
        }
      }),
      { numRuns: 500 },
    );
  });

  test('holds an hour of audio in the allowed memory and a page', () => {
    const file: Uint8Array[] = [];
    const audio = new PagedAudio({
      format,
      memorySeconds: 60,
      file: {
        write: bytes => file.push(bytes.slice()) - 1,
        read: (place, target, from) => target.set(file[place]!.subarray(from, from + target.length)),
        free() {},
        close() {},
      },
    });
    const store = new PartStore(format, audio);
    const pageBytes = 20;
    for (let frame = 0; frame < 36_000; frame += 5) {
      store.append(chunkAt(frame, 5));
      expect(audio.memoryBytes).toBeLessThanOrEqual(61 * pageBytes);
    }
    expect(file.length).toBeGreaterThan(3500);
    for (let frame = 0; frame < 36_000; frame += 100) {
      expect(store.read(frame, 100)).toEqual(chunkAt(frame, 100));
    }
    store.close();
    expect(audio.memoryBytes).toBe(0);
  });

  test('creates no file while the needed audio fits into memory', () => {
    const store = createReplayStore({ format, memorySeconds: 10, directory: '/nonexistent' });
    for (let frame = 0; frame < 36_000; frame += 5) {
      store.append(chunkAt(frame, 5));
      store.release(frame - 80);
    }
    expect(store.read(35_990, 100)).toEqual(chunkAt(35_990, 10));
    store.close();
  });

  test('never changes bytes that were read, although it reuses the memory of released audio', () => {
    const store = createReplayStore({ format });
    store.append(chunkAt(0, 10));
    store.append(chunkAt(10, 10));
    const read = store.read(0, 10);
    store.release(20);
    for (let frame = 20; frame < 60; frame += 10) store.append(chunkAt(frame, 10));
    expect(read).toEqual(chunkAt(0, 10));
    store.close();
  });

  test('takes no page of a second for each piece between two gaps', () => {
    const audio = new PagedAudio({ format, memorySeconds: 1000 });
    const store = new PartStore(format, audio);
    for (let frame = 0; frame < 1000; frame += 2) store.append(chunkAt(frame, 1));
    expect(audio.memoryBytes).toBeLessThan(500 * 2 + 20);
    store.close();
  });

  test('does not keep audio that was released before it was appended', () => {
    const store = createReplayStore({ format });
    store.release(100);
    for (let frame = 0; frame < 80; frame += 5) store.append(chunkAt(frame, 5));
    expect(store.read(0, 100)).toBeUndefined();
    store.append(chunkAt(80, 30));
    expect(store.read(100, 100)).toEqual(chunkAt(100, 10));
    store.close();
  });

  test.each([
    ['a start behind its head', () => ({ ...chunkAt(0, 5), startFrame: 9 }), /frame 10 or later, not at 9/],
    [
      'bytes that are no such frames',
      () => ({ startFrame: 10, frames: 3, bytes: bytesAt(10, 2) }),
      /must have 6 bytes/,
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
