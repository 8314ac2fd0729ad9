// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

interface Example {
  /** Entry and name, such as `rxscribe/replay errorRate`. */
  readonly title: string;
  readonly code: string;
}

/** Names of `helpers/exampleNames.ts`. */
const GIVEN =
  /\b(?:url|token|source\$|events\$?|final|lastFinal|finals|transcript|client|output|recognizer|samples|cassette|before|after|run|reference|rules|report)\b(?!['(:])/;

const ENTRIES = {
  index: 'rxscribe',
  captions: 'rxscribe/captions',
  replay: 'rxscribe/replay',
  server: 'rxscribe/server',
} as const;

/** Exported functions of an entry, each with the example of its docstring. */
async function examplesOf(entry: keyof typeof ENTRIES): Promise<readonly (Example | { title: string })[]> {
  const text = await readFile(join(ROOT, 'src', `${entry}.ts`), 'utf8');
  const exported = [...text.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].flatMap(([, names, file]) =>
    names!
      .split(',')
      .map(name => name.trim())
      .filter(name => /^[a-z]/.test(name) && !name.startsWith('type '))
      .map(name => ({ name, file: join(ROOT, 'src', file!) })),
  );
  const examples = await Promise.all(
    exported.map(async ({ name, file }) => {
      const source = await readFile(file, 'utf8');
      const at = source.search(new RegExp(`^export (?:async )?function\\*? ${name}\\b`, 'm'));
      if (at < 0) return [];
      const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, at))?.[0] ?? '';
      const code = /@example\n([\s\S]*?)(?:\n \* @|\s*\*\/)/.exec(comment)?.[1]?.replace(/^ \* ?/gm, '');
      return [{ title: `${ENTRIES[entry]} ${name}`, ...(code && { code }) }];
    }),
  );
  return examples.flat();
}

const all = (await Promise.all((Object.keys(ENTRIES) as (keyof typeof ENTRIES)[]).map(examplesOf))).flat();
const examples = all.filter((each): each is Example => 'code' in each);

/** Every value of the entries, and the names of Node and RxJS that examples use. */
async function importLines(): Promise<string> {
  const modules = [...Object.values(ENTRIES), 'rxjs', 'node:fs/promises'];
  const seen = new Set<string>();
  const lines = await Promise.all(
    modules.map(async module => ({ module, names: Object.keys(await import(module)) })),
  );
  return lines
    .map(({ module, names }) => {
      const fresh = names.filter(name => name !== 'default' && !seen.has(name));
      for (const name of fresh) seen.add(name);
      return `import { ${fresh.join(', ')} } from '${module}';`;
    })
    .join('\n');
}

describe('the examples of docstrings', () => {
  let directory: string;
  beforeAll(async () => {
    // Below the package, so that it can import itself by name.
    await mkdir(join(ROOT, 'dist'), { recursive: true });
    directory = await mkdtemp(join(ROOT, 'dist', 'examples-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('are there for every exported function', () => {
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter(each => !('code' in each)).map(({ title }) => title)).toEqual([]);
  });

  test('are programs without a type error', async () => {
    const imports = await importLines();
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          rootDir: '../..',
          noEmit: true,
          customConditions: ['source'],
          noUnusedLocals: false,
        },
        include: ['*.ts', '../../test/helpers/exampleNames.ts', '../../src/**/*.d.ts'],
        exclude: [],
      }),
    );
    await Promise.all(
      examples.map(({ title, code }) => {
        const isWhole = /^import /m.test(code);
        const program = isWhole ? code : `${imports}\nexport async function example() {\n${code}\n}\n`;
        return writeFile(join(directory, `${title.replace(/\W+/g, '_')}.ts`), program);
      }),
    );
    const tsc = promisify(execFile)(process.execPath, [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '-p',
      directory,
    ]).catch((error: { stdout: string }) => error);
    expect((await tsc).stdout.split('\n').filter(line => line.includes('error'))).toEqual([]);
  });

  // Of an example whose last line is `EXPRESSION; // VALUE`, and which takes no name as given.
  const valued = examples.flatMap(({ title, code }) => {
    const match =
      /^([\s\S]*?)(?:^)([^\s/][^\n]*(?:\n[ \])}][^\n]*)*?);? \/\/ (-?[\d.]+|null|true|false|'[^'\n]*'|\{[^…\n]*\}|\[[^…\n]*\])$(?![\s\S]*\S)/m.exec(
        code.replace(/^import [\s\S]*?;\n+/gm, ''),
      );
    const [, before, expression, value] = match ?? [];
    return value === undefined || GIVEN.test(code)
      ? []
      : [{ title, before: before!, expression: expression!.replace(/;$/, ''), value }];
  });

  test('have values to compare', () => {
    expect(valued.length).toBeGreaterThan(15);
  });

  test.each(valued)('$title', async ({ before, expression, value }) => {
    const modules = await Promise.all(Object.values(ENTRIES).map(module => import(module)));
    const names = Object.assign({}, ...modules);
    const evaluate = (text: string) => {
      const program = stripTypeScriptTypes(`(async () => {\n${text}\n})()`);
      return new Function(...Object.keys(names), `return ${program}`)(...Object.values(names));
    };
    expect(await evaluate(`${before}return (${expression});`)).toEqual(await evaluate(`return (${value});`));
  });
});
