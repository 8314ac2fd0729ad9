import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { delay, systemClock } from '../../src/base/clock.ts';
import { InvalidArgumentError, RxscribeError } from '../../src/base/errors.ts';
import { createId } from '../../src/base/ids.ts';
import { readSourceTree } from '../helpers/sourceTree.ts';

const SOURCES = new URL('../../src/', import.meta.url).pathname;

describe('an id', () => {
  test('is base62 of the length asked for, and new each time', () => {
    const ids = Array.from({ length: 1000 }, () => createId());
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every(id => /^[0-9A-Za-z]{14}$/.test(id))).toBe(true);
    expect(createId(16)).toHaveLength(16);
  });

  test('uses every letter about equally', () => {
    const letters = createId(62_000);
    const counts = Map.groupBy(letters, letter => letter);
    expect(counts.size).toBe(62);
    for (const found of counts.values()) expect(found.length).toBeGreaterThan(800);
  });
});

describe('an error', () => {
  test('has the name of its class, its code and its cause', () => {
    const cause = new Error('low');
    const error = new InvalidArgumentError('rate: expected a number', { cause });
    expect(error).toBeInstanceOf(RxscribeError);
    expect(error).toMatchObject({ name: 'InvalidArgumentError', code: 'invalid-argument', cause });
  });

  test('keeps its name in a minified bundle, whatever its class', async () => {
    const classes = readSourceTree().flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^export class (\w+) extends (?:RxscribeError|\w+Error)\b/gm), ([, name]) => ({
        name: name!,
        file: join(SOURCES, path),
      })),
    );
    expect(classes.length).toBeGreaterThan(25);
    const lines = classes.map(({ file }) => `export * from ${JSON.stringify(file)};`);
    const { outputFiles } = await build({
      stdin: { contents: lines.join('\n'), resolveDir: SOURCES },
      ...{ write: false, bundle: true, minify: true, platform: 'node', packages: 'external' },
      format: 'esm',
    });
    const code = outputFiles![0]!.text;
    expect(classes.map(({ name }) => name).filter(name => !code.includes(`name="${name}"`))).toEqual([]);
  });
});
describe("the system's clock", () => {
  test.each([Number.POSITIVE_INFINITY, 2 ** 31])('does not cut short a delay of %s ms', async delayMs => {
    const called: number[] = [];
    const cancel = systemClock.schedule(delayMs, () => called.push(delayMs));
    await delay(20);
    cancel();
    expect(called).toEqual([]);
  });
});

describe('a delay', () => {
  test('ends by the clock it is given', async () => {
    const due: (() => void)[] = [];
    const clock = {
      ...systemClock,
      schedule: (_: number, callback: () => void) => {
        due.push(callback);
        return () => {};
      },
    };
    const waiting = delay(1e9, { clock });
    due[0]?.();
    await expect(waiting).resolves.toBeUndefined();
  });

  test('rejects with the reason when aborted, and leaves no timer', async () => {
    const cancelled: string[] = [];
    const clock = { ...systemClock, schedule: () => () => void cancelled.push('timer') };
    const controller = new AbortController();
    const waiting = delay(1e9, { clock, signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    expect(cancelled).toEqual(['timer']);
    await expect(delay(1, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });
});
