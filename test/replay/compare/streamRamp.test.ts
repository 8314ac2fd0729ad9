import { describe, expect, test } from 'vitest';
import {
  type ComparedService,
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
  const [slow, fast, broken] = ['slow', 'fast', 'broken'].map(service) as [
    ComparedService,
    ComparedService,
    ComparedService,
  ];
  const tried: string[] = [];
  const held = await rampServices(
    new Map([
      [slow, step(1, 0.2)],
      [fast, step(1, 0.2)],
      [broken, step(1, 0.2, 1)],
    ]),
    async ({ name }, streams) => {
      tried.push(`${name} ${streams}`);
      return step(streams, name === 'slow' ? streams * 0.4 : 0.3);
    },
    { maxStreams: 8, maxAddedDelaySeconds: 1 },
  );
  expect(tried).toEqual(['slow 2', 'fast 2', 'fast 4', 'slow 4', 'fast 8']);
  expect(held.get(slow)).toMatchObject({ held: 2, isAll: false });
  expect(held.get(fast)).toMatchObject({ held: 8, isAll: true });
  expect(held.get(broken)).toMatchObject({ held: 0, isAll: false });
});
