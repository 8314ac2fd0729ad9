import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { lockModel } from '../../../src/engines/models/lockModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const MAIN = new URL('lockMain.ts', import.meta.url).pathname;

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

/** Puts the lock of a process there that there cannot be: numbers of processes end at 2 ** 22. */
async function leaveLock(owner: { pid?: number; host?: string } = {}): Promise<void> {
  const lock = { id: randomUUID(), pid: 2 ** 22 + 1, host: hostname(), ...owner };
  await writeFile(join(directory, '.tiny.pulling'), JSON.stringify(lock));
}

test('three processes never hold one lock at once, though half of the owners die', async () => {
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--conditions=source', MAIN, directory, '150'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const intrusions = await Promise.all(children.map(({ stdout }) => text(stdout)));
  expect(intrusions).toEqual(['0', '0', '0']);
}, 300_000);

test('a lock is released without a trace', async () => {
  await using _lock = await lockModel(directory, 'tiny');
  await using _other = await lockModel(directory, 'small');
  await expect(lockModel(directory, 'tiny')).rejects.toMatchObject({ code: 'download' });
  await _lock[Symbol.asyncDispose]();
  await _other[Symbol.asyncDispose]();
  expect(await readdir(directory)).toEqual([]);
});

test('a lock of a living process is respected', async () => {
  await leaveLock({ pid: process.ppid });
  await expect(lockModel(directory, 'tiny')).rejects.toThrow(`process ${process.ppid} is downloading it`);
});

test.each([
  ['a process that died', {}],
  ['this process, at another time', { pid: process.pid }],
])('a lock of %s is taken over', async (_, owner) => {
  await leaveLock(owner);
  const lock = await lockModel(directory, 'tiny');
  await expect(lockModel(directory, 'tiny')).rejects.toThrow(`process ${process.pid} is downloading it`);
  await lock[Symbol.asyncDispose]();
  expect(await readdir(directory)).toEqual([]);
});

test('a lock of another machine is respected, with advice', async () => {
  await leaveLock({ host: 'elsewhere' });
  await expect(lockModel(directory, 'tiny')).rejects.toThrow(
    / on elsewhere is downloading it.*remove .*tiny/,
  );
});

test('an invalid lock is not touched', async () => {
  await writeFile(join(directory, '.tiny.pulling'), '');
  await expect(lockModel(directory, 'tiny')).rejects.toThrow('is not a lock');
  expect(await readdir(directory)).toEqual(['.tiny.pulling']);
});
