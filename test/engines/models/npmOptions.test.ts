import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findNpm, readNpmOptions } from '../../../src/engines/models/npmOptions.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

let prefix: string;
beforeEach(async () => {
  prefix = await realpath(await temporaryDirectory());
  const program = join(prefix, 'lib/node_modules/npm/bin/npm-cli.js');
  await mkdir(join(program, '..'), { recursive: true });
  await mkdir(join(prefix, 'bin'));
  await mkdir(join(prefix, 'etc'));
  await mkdir(join(prefix, 'shims'));
  for (const path of [program, join(prefix, 'bin/node'), join(prefix, 'shims/npm')])
    await writeFile(path, '');
  await symlink(program, join(prefix, 'bin/npm'));
});

test('the npm on the PATH is found with the Node beside it, through wrappers', async () => {
  const PATH = ['', join(prefix, 'none'), join(prefix, 'shims'), join(prefix, 'bin')].join(delimiter);
  expect(await findNpm({ PATH })).toEqual({
    npmPath: join(prefix, 'lib/node_modules/npm'),
    execPath: join(prefix, 'bin/node'),
  });
});

test('the npm that runs the process has precedence, unless it is another program', async () => {
  const PATH = join(prefix, 'bin');
  const running = { PATH, npm_execpath: '/a/npm/bin/npm-cli.js', npm_node_execpath: '/b/node' };
  expect(await findNpm(running)).toEqual({ npmPath: '/a/npm', execPath: '/b/node' });
  const other = await findNpm({ ...running, npm_execpath: '/a/pnpm.cjs' });
  expect(other.execPath).toBe(join(prefix, 'bin/node'));
});

test('without npm the settings are still read', async () => {
  const { execPath } = await findNpm({ PATH: '' });
  expect(execPath).toBe(process.execPath);
  expect(await readNpmOptions({ PATH: '', HOME: prefix })).toMatchObject({
    registry: expect.stringMatching(/^https:/),
    cache: join(prefix, '.npm', '_cacache'),
  });
});

test('machine-wide settings count, and those of npm and the user before them', async () => {
  const env = { PATH: join(prefix, 'bin'), HOME: join(prefix, 'home') };
  await writeFile(join(prefix, 'etc/npmrc'), 'registry=https://machine.invalid/\nfetch-retries=7\nodd=1\n');
  expect(await readNpmOptions(env)).toMatchObject({
    registry: 'https://machine.invalid/',
    retry: { retries: 7 },
  });
  await mkdir(env.HOME);
  await writeFile(join(env.HOME, '.npmrc'), 'registry=https://user.invalid/\n');
  expect(await readNpmOptions(env)).toMatchObject({
    registry: 'https://user.invalid/',
    retry: { retries: 7 },
  });
  expect(Object.keys(env)).toEqual(['PATH', 'HOME']);
});
