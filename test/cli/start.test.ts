import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A module that writes the packages of a process to its error output, at its end. */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({ load(url, context, next) {
    const name = url.split('/node_modules/')[1]?.match(/^(@[^/]+\\/)?[^/]+/)?.[0];
    if (name) packages.add(name);
    return next(url, context);
  } });
  process.on('exit', () => process.stderr.write(JSON.stringify([...packages])));
`)}`;

/** Returns the packages that a command line loads. */
async function packagesOf(...args: readonly string[]): Promise<readonly string[]> {
  const node = ['--conditions=source', '--import', RECORDER, 'src/cli.ts', ...args];
  const run = promisify(execFile)(process.execPath, node, { cwd: ROOT });
  const { stderr } = await run.catch((error: { stderr: string }) => error);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('[')));
}

test('help is shown without streams, schemas and YAML', async () => {
  const packages = await packagesOf('caption', '--help');
  expect(packages).toContain('commander');
  expect(packages.filter(name => ['rxjs', 'typebox', 'yaml', 'ws'].includes(name))).toEqual([]);
});

test('captions of a file are prepared without the client of OBS and YAML', { tags: 'slow' }, async () => {
  // Refused after the options were checked.
  const packages = await packagesOf('caption', 'samples/not-ill-disposed.wav', '--obs-source', 'Text');
  expect(packages).toContain('rxjs');
  expect(packages.filter(name => ['obs-websocket-js', 'crypto-js', 'yaml'].includes(name))).toEqual([]);
});
