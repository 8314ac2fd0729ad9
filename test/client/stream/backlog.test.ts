import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBacklog } from '../../../src/client/stream/backlog.ts';
import { OverflowError } from '../../../src/client/stream/streamErrors.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';

const options = { sampleRate: 10, maxSeconds: 3 } as const;

describe('a backlog', () => {
  test('gives back what it took, oldest first, however much passes through it', () => {
    const backlog = createBacklog({ ...options, maxSeconds: 300, overflow: 'fail' });
    let given = 0;
    let taken = 0;
    const operation = fc.oneof({ weight: 3, arbitrary: fc.constant('push') }, fc.constant('shift'));
    for (const what of fc.sample(operation, 5000)) {
      if (what === 'push') backlog.push(blockAt(given++, 1));
      else if (taken < given) expect(backlog.shift()?.startFrame).toBe(taken++);
      expect(backlog.frames).toBe(given - taken);
    }
    while (taken < given) expect(backlog.shift()?.startFrame).toBe(taken++);
    expect(backlog.shift()).toBeUndefined();
    expect(backlog.frames).toBe(0);
  });

  test('takes what it may keep, and not a frame more', () => {
    const backlog = createBacklog({ ...options, overflow: 'fail' });
    for (let frame = 0; frame < 30; frame++) backlog.push(blockAt(frame, 1));
    expect(() => backlog.push(blockAt(30, 1))).toThrow(OverflowError);
  });

  test('drops the oldest, a second more than needed, and says which', () => {
    const backlog = createBacklog({ ...options, overflow: 'dropOldest' });
    for (let frame = 0; frame < 30; frame++) expect(backlog.push(blockAt(frame, 1))).toBeUndefined();
    expect(backlog.push(blockAt(30, 1))).toEqual({ startFrame: 0, frames: 11 });
    expect(backlog.frames).toBe(20);
    expect(backlog.shift()?.startFrame).toBe(11);
  });

  test('drops also a chunk that is longer than all it may keep', () => {
    const backlog = createBacklog({ ...options, overflow: 'dropOldest' });
    backlog.push(blockAt(0, 5));
    expect(backlog.push(blockAt(5, 100))).toEqual({ startFrame: 0, frames: 105 });
    expect(backlog.frames).toBe(0);
    expect(backlog.push(blockAt(105, 1))).toBeUndefined();
    expect(backlog.shift()?.startFrame).toBe(105);
  });
});
