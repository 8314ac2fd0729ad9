import { expect, test } from 'vitest';
import { inTurns } from '../../../src/replay/compare/streamRamp.ts';

test('each rival takes each item, in rotating order and one at a time', async () => {
  const log: string[] = [];
  let running = 0;
  const results = await inTurns(['A', 'B', 'C'], [1, 2, 3, 4], async (rival, item) => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    log.push(`${rival}${item}`);
    return `${rival}${item}`;
  });
  expect(log.join(' ')).toBe('A1 B1 C1 B2 C2 A2 C3 A3 B3 A4 B4 C4');
  expect(results.get('B')).toEqual(['B1', 'B2', 'B3', 'B4']);
});

test('an abort rejects with its reason before the next turn', async () => {
  const abort = new AbortController();
  const log: string[] = [];
  const done = inTurns(
    ['A', 'B'],
    [1, 2],
    async (rival, item) => {
      log.push(`${rival}${item}`);
      if (log.length === 2) abort.abort(new Error('enough'));
    },
    abort.signal,
  );
  await expect(done).rejects.toThrow('enough');
  expect(log).toEqual(['A1', 'B1']);
});
