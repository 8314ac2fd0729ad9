import { expect, test } from 'vitest';
import { joinLookups } from '../../../src/service/accounts/tokenMemory.ts';

/** Lookups answered by the test: each key resolves with its length, except those with an x. */
function lookups() {
  const running: { keys: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const find = joinLookups<number>(keys => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>();
    const known = keys.filter(key => !key.includes('x')).map(key => [key, key.length] as const);
    running.push({ keys, end: () => resolve(new Map(known)), fail: reject });
    return promise;
  });
  return { find, running };
}

test('keys that arrive while two lookups run are batched into the next, in order', async () => {
  const { find, running } = lookups();
  const answers = ['a', 'bb', 'ccc', 'x', 'dd'].map(find);
  expect(running.map(({ keys }) => keys)).toEqual([['a'], ['bb']]);
  running[1]!.end();
  expect(await answers[1]).toBe(2);
  expect(running[2]!.keys).toEqual(['ccc', 'x', 'dd']);
  running[2]!.end();
  running[0]!.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, undefined, 2]);
});

test('no lookup has more than 500 keys, and no more than two run', async () => {
  const { find, running } = lookups();
  const answers = Array.from({ length: 1202 }, (_, index) => find(`k${index}`));
  let ended = 0;
  for (; ended < running.length; ended++) {
    expect(running.length - ended).toBeLessThanOrEqual(2);
    running[ended]!.end();
    await answers[ended];
  }
  expect(running.map(({ keys }) => keys.length)).toEqual([1, 1, 500, 500, 200]);
  expect((await Promise.all(answers)).length).toBe(1202);
});

test('an error rejects all keys of its batch, and no others', async () => {
  const { find, running } = lookups();
  const answers = ['a', 'b', 'c', 'd'].map(find);
  running[0]!.fail(new Error('gone'));
  await expect(answers[0]).rejects.toThrow('gone');
  running[2]!.fail(new Error('gone again'));
  await expect(answers[2]).rejects.toThrow('gone again');
  await expect(answers[3]).rejects.toThrow('gone again');
  running[1]!.end();
  expect(await answers[1]).toBe(1);
});
