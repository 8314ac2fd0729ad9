import { expect, test } from 'vitest';
import { sessionOptions } from '../../../src/cli/live/sessionOptions.ts';

const FILE = { kind: 'file', path: 'talk.wav' } as const;
const ADDRESS = { kind: 'address', url: 'https://example.org/talk.wav' } as const;

test.each([
  ['the same time for the first connection of a file', FILE, undefined, [120, 120]],
  ['the same time for that of an address', ADDRESS, undefined, [120, 120]],
  ['less for that of a microphone', { kind: 'microphone' }, undefined, [7200, undefined]],
  ['less for that of a pipe', { kind: 'stdin' }, undefined, [7200, undefined]],
  ['what is asked for, for both', { kind: 'microphone' }, 8, [8, 8]],
] as const)('a stream has %s', (_, input, giveUpAfter, [giveUpAfterSeconds, firstConnectionSeconds]) => {
  const { resume } = sessionOptions({ input, brand: 'svc', nextUrl: [], giveUpAfter });
  expect(resume).toEqual({ giveUpAfterSeconds, ...(firstConnectionSeconds && { firstConnectionSeconds }) });
});

test('--give-up-after 0 disables resuming', () => {
  expect(sessionOptions({ input: FILE, brand: 'svc', nextUrl: [], giveUpAfter: 0 }).resume).toBe(false);
});
