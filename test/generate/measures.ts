/** Prints measures of the source: `npm run measures`. Lines of code are those that are not blank and not a comment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { linesOfCode, readCode } from '../helpers/linesOfCode.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Prints one row: a name, and figures. */
function row(name: string, ...figures: readonly (string | number)[]): void {
  console.log(`  ${name.padEnd(44)}${figures.map(figure => String(figure).padStart(9)).join('')}`);
}

function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

function printFolders(top: 'src' | 'test'): void {
  const files = readCode(top);
  const folders = Map.groupBy(files, ({ path }) => (path.includes('/') ? path.split('/')[0]! : '(files)'));
  heading(`${top}: files, lines of code`);
  const linesOf = (some: typeof files) => some.reduce((sum, { text }) => sum + linesOfCode(text), 0);
  for (const [name, some] of [...folders].toSorted()) row(name, some.length, linesOf(some));
  row('in all', files.length, linesOf(files));
}

/** Counts findings of Biome with rules of its own. */
function printFindings(): void {
  const folder = mkdtempSync(join(tmpdir(), 'measures-'));
  const rules = {
    complexity: { noExcessiveLinesPerFunction: { level: 'warn', options: { maxLines: 40 } } },
    style: { noNonNullAssertion: 'warn' },
  };
  writeFileSync(
    join(folder, 'biome.json'),
    JSON.stringify({ root: true, linter: { rules: { ...rules, preset: 'none' } } }),
  );
  heading('src, test');
  try {
    for (const [name, rule] of [
      ['functions of more than 40 lines', 'complexity/noExcessiveLinesPerFunction'],
      ['assertions that a value is there (!)', 'style/noNonNullAssertion'],
    ] as const) {
      const counts = ['src', 'test'].map(top => {
        const args = [
          'lint',
          `--only=${rule}`,
          '--max-diagnostics=none',
          '--reporter=json',
          `--config-path=${folder}`,
        ];
        const text = execFileSync(join(root, 'node_modules/.bin/biome'), [...args, top], {
          ...{ cwd: root, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] },
        });
        return JSON.parse(text).diagnostics.length;
      });
      row(name, ...counts);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const spreads = (top: string) =>
    readCode(top).reduce(
      (sum, { text }) => sum + [...text.matchAll(/\.\.\.\([^()]*(?:\([^()]*\)[^()]*)*&& \{/g)].length,
      0,
    );
  row('conditional spreads', spreads('src'), spreads('test'));
}

printFolders('src');
printFolders('test');
printFindings();
