import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Caller } from '../../../src/service/accounts/accounts.ts';
import {
  createTokenMemory,
  joinLookups,
  TOKEN_FRESH_MS,
  TOKEN_MEMORY_MS,
} from '../../../src/service/accounts/tokenMemory.ts';

/** A cache whose lookups the test answers. */
function memory() {
  const clock = new VirtualClock();
  const questions: PromiseWithResolvers<Caller | undefined>[] = [];
  const ask = () => {
    const question = Promise.withResolvers<Caller | undefined>();
    questions.push(question);
    return question.promise;
  };
  return { clock, questions, ...createTokenMemory({ clock, ask }) };
}

const ADA: Caller = { accountId: 'ada', limits: {} };

test('concurrent lookups of a token share one answer', async () => {
  const { find, questions } = memory();
  const found = Promise.all([find('a'), find('a'), find('a')]);
  questions[0]!.resolve(ADA);
  expect(await found).toEqual([ADA, ADA, ADA]);
  expect(await find('a')).toBe(ADA);
  expect(questions.length).toBe(1);
});

test('an answer is refreshed in the background after some seconds', async () => {
  const { find, questions, clock } = memory();
  const found = find('a');
  questions[0]!.resolve(ADA);
  await found;
  clock.advance(TOKEN_FRESH_MS - 1);
  expect(await find('a')).toBe(ADA);
  expect(questions.length).toBe(1);
  clock.advance(1);
  expect(await Promise.all([find('a'), find('a')])).toEqual([ADA, ADA]);
  expect(questions.length).toBe(2);
  questions[1]!.resolve(undefined);
  await setImmediate();
  const again = find('a');
  questions[2]!.resolve(undefined);
  expect(await again).toBeUndefined();
});

test('an answer is valid for a minute while the store is unreachable', async () => {
  const { find, questions, clock } = memory();
  const found = find('a');
  questions[0]!.resolve(ADA);
  await found;
  clock.advance(TOKEN_MEMORY_MS - 1);
  expect(await find('a')).toBe(ADA);
  questions[1]!.reject(new Error('no database'));
  await setImmediate();
  clock.advance(1);
  const again = find('a');
  questions[2]!.resolve(undefined);
  expect(await again).toBeUndefined();
});

test('an answer that arrives after its account was dropped is not cached', async () => {
  const { find, forget, questions } = memory();
  const found = find('a');
  forget('ada');
  questions[0]!.resolve(ADA);
  expect(await found).toBe(ADA);
  const again = find('a');
  expect(questions.length).toBe(2);
  questions[1]!.resolve(undefined);
  expect(await again).toBeUndefined();
});

test('unknown tokens and failed lookups are not cached', async () => {
  const { find, questions } = memory();
  const unknown = find('a');
  questions[0]!.resolve(undefined);
  expect(await unknown).toBeUndefined();
  const failed = find('a');
  questions[1]!.reject(new Error('no database'));
  await expect(failed).rejects.toThrow('no database');
  const found = find('a');
  questions[2]!.resolve(ADA);
  expect(await found).toBe(ADA);
});

test('the cache has a limited size', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const { find } = createTokenMemory({
    clock,
    ask: async () => {
      asked++;
      return ADA;
    },
  });
  for (let i = 0; i < 10_001; i++) await find(String(i));
  expect(await find('10000')).toBe(ADA);
  expect(asked).toBe(10_001);
  await find('0');
  expect(asked).toBe(10_002);
});

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
