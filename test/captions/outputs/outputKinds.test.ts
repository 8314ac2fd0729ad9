import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OUTPUT_KINDS } from '../../../src/captions/outputs/outputKinds.ts';
import * as captions from '../../../src/captions.ts';

const OUTPUTS = join(import.meta.dirname, '../../../src/captions/outputs');
const TABLE = 'src/captions/outputs/outputKinds.ts';

test('each declared kind of output is in the table', () => {
  const paths = readdirSync(OUTPUTS, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.ts'),
  );
  const sources = paths.map(path => readFileSync(join(OUTPUTS, path), 'utf8'));
  const declared = sources.flatMap(text => [...text.matchAll(/: OutputKind<\w+> = \{\n {2}name: '(.+)'/g)]);
  const names = declared.map(([, name]) => name);
  expect(names.sort(), `Add the kind to ${TABLE}.`).toEqual(OUTPUT_KINDS.map(({ name }) => name).sort());
});

describe.each(OUTPUT_KINDS)('the output $name', ({ name, flags, named }) => {
  test('has the flag that opens it, and flags that begin with its name', () => {
    const own = flags.map(flag => flag.name);
    expect(own, `Name the first flag of its declaration '${name}'.`).toContain(name);
    expect(own.filter(flag => flag !== name && !flag.startsWith(`${name}-`))).toEqual([]);
    expect(flags.flatMap(({ needs = [] }) => needs).filter(need => !own.includes(need))).toEqual([]);
  });

  test('is opened by its flags only', () => {
    expect(named({ language: 'en' })).toBeUndefined();
  });

  test('can be used in a program', () => {
    const wanted = `${name}output`;
    const exported = Object.keys(captions).map(key => key.toLowerCase());
    expect(exported, 'Export its function from src/captions.ts.').toContain(wanted);
  });

  test('is tested and documented', () => {
    const tests = [`${name}.test.ts`, `${name}/${name}Output.test.ts`];
    const isTested = tests.some(path => existsSync(join(import.meta.dirname, path)));
    expect(isTested, `Test it in test/captions/outputs/${tests[0]}.`).toBe(true);
    const readme = readFileSync(join(OUTPUTS, '../README.md'), 'utf8');
    const missing = flags.filter(flag => !readme.includes(`--${flag.name}`));
    expect(missing, "Run 'npm run docs'.").toEqual([]);
  });
});
