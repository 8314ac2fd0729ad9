import { describe, expect, test } from 'vitest';
import {
  type ComparedService,
  inTurns,
  isHeld,
  type RampStep,
  rampOf,
  rampServices,
} from '../../../src/replay/compare/streamRamp.ts';

const service = (name: string): ComparedService => ({ name, url: name, token: 'token', shownAs: name });
const step = (streams: number, finalDelay: number | null, failures = 0): RampStep => ({
  streams,
  failures,
  finalDelay,
});

test.each([
  [0, []],
  [1, []],
  [2, [2]],
  [8, [2, 4, 8]],
  [11, [2, 4, 8, 11]],
])('up to %i streams are tried in doubling steps', (most, counts) => {
  expect(rampOf(most)).toEqual(counts);
});

describe('a step is sustained', () => {
  test.each([
    ['when finals come as much later as they may', step(4, 1.5), step(1, 0.5), true],
    ['not when they come later', step(4, 1.51), step(1, 0.5), false],
    ['not when one stream fails', step(4, 0.5, 1), step(1, 0.5), false],
    ['not when nothing is heard', step(4, null), step(1, 0.5), false],
    ['not when nothing was heard of one stream', step(4, 0.5), step(1, null), false],
  ])('%s', (_, tried, alone, isSo) => {
    expect(isHeld(tried, alone, 1)).toBe(isSo);
  });
});

test('a service is tested until a step is not sustained, and the others continue', async () => {
  const tried: string[] = [];
  const held = await rampServices(
    [
      { service: service('slow'), step: step(1, 0.2) },
      { service: service('fast'), step: step(1, 0.2) },
      { service: service('broken'), step: step(1, 0.2, 1) },
    ],
    async ({ name }, streams) => {
      tried.push(`${name} ${streams}`);
      return step(streams, name === 'slow' ? streams * 0.4 : 0.3);
    },
    { maxStreams: 8, maxAddedDelaySeconds: 1 },
  );
  expect(tried).toEqual(['slow 2', 'fast 2', 'fast 4', 'slow 4', 'fast 8']);
  expect(held).toMatchObject([
    { held: 2, isAll: false },
    { held: 8, isAll: true },
    { held: 0, isAll: false },
  ]);
});

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
  expect(results[1]).toEqual({ rival: 'B', results: ['B1', 'B2', 'B3', 'B4'] });
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
