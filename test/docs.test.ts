import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/cli/main.ts';
import { llmsText } from './generate/docs/llmsText.ts';
import { optionNamesText } from './generate/docs/optionNames.ts';
import { DOCUMENTS, withTables } from './generate/docs/optionTables.ts';
import { idleContext } from './helpers/commandLine.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const MAX_FRONT_DOOR_BYTES = 12 * 1024;

/** Flags of other programs that the documents name. */
const FOREIGN_FLAGS = new Set(['--yes']);

const documents = DOCUMENTS.map(path => ({
  name: relative(ROOT, path),
  path,
  text: readFileSync(path, 'utf8'),
}));

const flagsOfProgram = new Set<string>();
const collect = (command: ReturnType<typeof createProgram>): void => {
  for (const option of command.createHelp().visibleOptions(command)) flagsOfProgram.add(option.long!);
  command.commands.forEach(collect);
};
collect(createProgram(idleContext()));

test('llms.txt has the contents of the documents', () => {
  expect(readFileSync(join(ROOT, 'llms.txt'), 'utf8'), 'run `npm run docs`').toBe(llmsText());
});

test('the names of options are those of the source', () => {
  const text = readFileSync(join(ROOT, 'src/base/optionNames.json'), 'utf8');
  expect(text, 'run `npm run docs`').toBe(optionNamesText());
});

describe.each(documents)('$name', ({ path, text }) => {
  test('has tables of options and commands that are those of the source', () => {
    expect(withTables(text), 'run `npm run docs`').toBe(text);
  });

  test('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, target, heading]) => {
      const file = target === '' ? path : join(dirname(path), target!);
      if (!existsSync(file)) return true;
      if (heading === undefined) return false;
      const page = readFileSync(/\.md$/.test(file) ? file : join(file, 'README.md'), 'utf8');
      const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(match =>
        match[1]!
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      return !anchors.includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names only scripts and flags that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(match => match[1]!);
    expect(named.filter(name => !(name in scripts))).toEqual([]);
    const commands = [...text.matchAll(/npx rxscribe [^\n|#]*/g)].flatMap(
      ([line]) => line.match(/ --[a-z][a-z-]*/g) ?? [],
    );
    const unknown = commands
      .map(flag => flag.trim())
      .filter(flag => !flagsOfProgram.has(flag) && !FOREIGN_FLAGS.has(flag));
    expect(unknown).toEqual([]);
  });
});

describe('the documents', () => {
  test('are those of the project and of its rooms', () => {
    expect(documents.map(({ name }) => name).sort()).toEqual([
      'README.md',
      'samples/README.md',
      'samples/deploy/README.md',
      'src/README.md',
      'src/captions/README.md',
      'src/cli/README.md',
      'src/client/README.md',
      'src/engines/README.md',
      'src/replay/README.md',
      'src/service/README.md',
      'test/bench/README.md',
      'test/fixtures/audio/README.md',
      'test/generate/packages/rxscribe/README.md',
      'test/generate/packages/server/README.md',
    ]);
  });

  test('begin with a page that is short', () => {
    const { text } = documents.find(({ name }) => name === 'README.md')!;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_FRONT_DOOR_BYTES);
  });
});
