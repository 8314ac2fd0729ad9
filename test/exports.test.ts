import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Entries by their file in `src`, with the largest number of names that a person can learn. */
const ENTRIES = [
  { file: 'index', maxNames: 122 },
  { file: 'browser/browser', maxNames: 40 },
  { file: 'captions', maxNames: 64 },
  { file: 'replay', maxNames: 63 },
  { file: 'server', maxNames: 48 },
  { file: 'vitest', maxNames: 11 },
] as const;

/** Returns the public names of an entry, types included, sorted. */
function namesOf(file: string): readonly { readonly name: string; readonly isType: boolean }[] {
  const text = readFileSync(new URL(`../src/${file}.ts`, import.meta.url), 'utf8');
  return [...text.matchAll(/^export (type )?\{([^}]*)\} from/gm)]
    .flatMap(([, typeOnly, list]) =>
      list!
        .split(',')
        .map(item => item.trim())
        .filter(item => item !== '')
        .map(item => ({
          name: item.replace(/^type /, ''),
          isType: typeOnly !== undefined || item.startsWith('type '),
        })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe.each(ENTRIES)('the entry $file', ({ file, maxNames }) => {
  const names = namesOf(file);

  // After a deliberate change: `npx vitest run --config test/vitest.config.ts test/exports.test.ts -u`
  test('has the names that are listed', async () => {
    const lines = names.map(({ name, isType }) => `${name}${isType ? ' (type)' : ''}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`fixtures/exports/${file}.txt`);
  });

  test(`has at most ${maxNames} names, each once`, () => {
    expect(names.length).toBeGreaterThan(5);
    expect(names.length).toBeLessThanOrEqual(maxNames);
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
  });

  test('has a value for each name that is not a type', async () => {
    const values = names.filter(({ isType }) => !isType).map(({ name }) => name);
    expect(Object.keys(await import(new URL(`../src/${file}.ts`, import.meta.url).href)).sort()).toEqual(
      values,
    );
  });
});
