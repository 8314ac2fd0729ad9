// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installPackage, STRICT_OPTIONS } from '../../helpers/installedPackage.ts';

const CONFIG = { compilerOptions: STRICT_OPTIONS };

const SAMPLE = new URL('../../../samples/replay-vitest', import.meta.url).pathname;

// The package is built first.
describe('the installed package', { timeout: 400_000 }, () => {
  test('without vitest has complete types and programs', async () => {
    const without = ['vitest', '@vitest'];
    await using project = await installPackage({ without });
    await writeFile(join(project.directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(project.directory, 'tsconfig.json'), JSON.stringify(CONFIG));
    await writeFile(
      join(project.directory, 'main.ts'),
      `import { scoreWords, type WordScore } from 'rxscribe/replay';
       const score: WordScore = scoreWords(['the', 'cat'], ['the', 'hat']);
       console.log(score.wer);
      `,
    );
    const types = await project.run('tsc', ['-p', '.']);
    // Errors of other packages do not count.
    expect(types.output.split('\n').filter(line => /^(node_modules\/rxscribe|main\.ts)/.test(line))).toEqual(
      [],
    );
    expect(await project.run('node', ['main.ts'])).toEqual({ code: 0, output: '0.5\n' });
  });

  test('adds its matchers with their types to vitest when it is imported', async () => {
    await using project = await installPackage();
    await writeFile(join(project.directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(project.directory, 'tsconfig.json'), JSON.stringify(CONFIG));
    await writeFile(
      join(project.directory, 'words.test.ts'),
      `import { replayFixtures } from 'rxscribe/vitest';
       import { expect, test } from 'vitest';
       test('words', () => {
         expect('the cat').toMatchTranscript('The cat.');
         expect(() => expect('the cat').toMatchTranscript('The hat.')).toThrow(/1 substitution/);
         // @ts-expect-error a limit is a number
         expect(() => expect('the cat').toHaveWerBelow('0.1', 'The cat.')).toThrow('must be a number');
         // @ts-expect-error a reference is missing
         expect(() => expect('the cat').toHaveWerBelow(0.1)).toThrow('requires a reference');
       });
       test.extend(replayFixtures)('a clock', ({ virtualClock }) => {
         virtualClock.advance(1000);
         expect(virtualClock.now()).toBe(1000);
         // @ts-expect-error a clock has no such thing
         expect(virtualClock.tick).toBeUndefined();
       });
      `,
    );
    await writeFile(
      join(project.directory, 'plain.test.ts'),
      `import 'rxscribe/replay';
       import { expect, test } from 'vitest';
       test('expect has no matcher without the import', () => expect('toMatchTranscript' in expect('')).toBe(false));
      `,
    );
    const types = await project.run('tsc', ['-p', '.']);
    expect(types.output.split('\n').filter(line => /^(node_modules\/rxscribe|words)/.test(line))).toEqual([]);
    const tests = await project.run('vitest', ['run']);
    expect(tests.output).toMatch(/Tests +3 passed \(3\)/);
    expect(tests.code).toBe(0);
  });

  test('is all that the sample project needs to pass', async () => {
    await using project = await installPackage({ project: SAMPLE });
    expect(await project.run('tsc', [])).toEqual({ code: 0, output: '' });
    const tests = await project.run('vitest', ['run']);
    expect(tests.output).toMatch(/Tests +6 passed \(6\)/);
    expect(tests.code).toBe(0);
    const words = join(project.directory, 'test', 'words.test.ts');
    const stricter = (await readFile(words, 'utf8')).replace('maxWer: 0.3', 'maxWer: 0.1');
    await writeFile(words, stricter);
    const failed = await project.run('vitest', ['run', 'words']);
    expect(failed.code).toBe(1);
    expect(failed.output).toMatch(/REF .*DISPOSED.*\n *HYP .*SPOSED/);
  });
});
