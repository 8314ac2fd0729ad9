import { expect, test } from 'vitest';
import { inParallel } from '../../../../src/replay/suite/run/runSuite.ts';

const ended = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

test('work runs with limited concurrency, and its results are in the order of the items', async () => {
  let now = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 5], 2, async item => {
    most = Math.max(most, ++now);
    for (let turn = 0; turn < item; turn++) await undefined;
    now--;
    return item * 10;
  });
  expect([results, most]).toEqual([[30, 10, 20, 50], 2]);
});

test('an error aborts the other work, and is thrown after it has ended', async () => {
  const over: string[] = [];
  const begun: string[] = [];
  const work = inParallel(['long', 'broken', 'later'], 2, async (item, signal) => {
    begun.push(item);
    if (item === 'broken') throw new Error('broken');
    await ended(signal).finally(() => over.push(item));
  });
  await expect(work).rejects.toThrow('broken');
  expect({ begun, over }).toEqual({ begun: ['long', 'broken'], over: ['long'] });
});

test('an abort resolves with the finished results', async () => {
  const abort = new AbortController();
  const work = async (item: number, signal: AbortSignal) => {
    if (item === 1) return item;
    abort.abort(new Error('enough'));
    return ended(signal);
  };
  expect(await inParallel([1, 2, 3], 1, work, abort.signal)).toEqual([1, undefined, undefined]);
});
