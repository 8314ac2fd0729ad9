import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { pageScript } from '../../../../src/replay/report/html/pageScript.ts';

const root = new URL('../../../..', import.meta.url).pathname;
const run = promisify(execFile);

/** Compiles a module as the package does. */
async function compiled(): Promise<{ pageScript: typeof pageScript }> {
  const directory = await mkdtemp(join(tmpdir(), 'built-'));
  const compilerOptions = { outDir: join(directory, 'dist'), rootDir: join(root, 'src'), noCheck: true };
  const html = join(root, 'src/replay/report/html');
  const files = [join(html, 'pageScript.ts'), join(html, 'browser/page.ts')];
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
  const types = { typeRoots: [join(root, 'node_modules/@types')] };
  const project = { ...config, compilerOptions: { ...compilerOptions, ...types } };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(project));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', directory]);
  return import(pathToFileURL(join(directory, 'dist/replay/report/html/pageScript.js')).href);
}

test('the script of a page is a single script without modules, from the sources and in a build', async () => {
  const built = await compiled();
  for (const script of [await pageScript(), await built.pageScript()]) {
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export)\b|sourceMappingURL|<\/script|<!--/m);
    for (const name of [
      'make',
      'makeWaveform',
      'makeTimeLine',
      'makeDifferences',
      'fillFile',
      'makeSortable',
    ]) {
      expect(script.match(new RegExp(`function ${name}\\s*\\(`, 'g')), name).toHaveLength(1);
    }
  }
});
