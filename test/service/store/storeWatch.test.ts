import { execFileSync } from 'node:child_process';
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needs } from '../../helpers/needs.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { request } from '../../helpers/testService.ts';

const OK = [200, { status: 'ok' }];
const NO_SPACE = [
  503,
  expect.objectContaining({
    title: 'Service Unavailable',
    detail: 'The service is not ready (waiting for: writable space in the data directory).',
  }),
];

/** Resolves with the answer of a service to the check that it is ready. */
async function readiness(service: { readonly url: string }): Promise<readonly unknown[]> {
  const { status, json } = await request(service, '/health/ready');
  return [status, json()];
}

test('a service is not ready while its files cannot grow, and is again when they can', async () => {
  const directory = await dataDirectory();
  const service = await startServiceProcess({ dataDirectory: directory });
  await eventually(async () => expect(await readiness(service)).toEqual(OK));
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', [`--pid=${service.pid}`, `--fsize=${bytes}:`]);
  limitFiles(50_000);
  await eventually(async () => expect(await readiness(service)).toEqual(NO_SPACE));
  expect((await request(service, '/health/live')).status).toBe(200);
  limitFiles('unlimited');
  await eventually(async () => expect(await readiness(service)).toEqual(OK));
  const left = await readdir(join(directory, 'objects/.spool'), { recursive: true });
  expect(left.filter(name => name.includes('probe'))).toEqual([]);
});

/** Mounts a file system of its own, or skips the test. */
async function smallDisk(context: TestContext, megabytes: number): Promise<string> {
  const directory = await temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch {
    needs(context, 'the right to mount');
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]));
  return directory;
}

test('a service is not ready while too little space is free', { tags: 'tools' }, async context => {
  const disk = await smallDisk(context, 256);
  const service = await startServiceProcess({ dataDirectory: join(disk, 'data') });
  await eventually(async () => expect(await readiness(service)).toEqual(OK));
  const { bavail, bsize } = await statfs(disk);
  const filler = join(disk, 'filler');
  await writeFile(filler, new Uint8Array(bavail * bsize - 8 * 2 ** 20));
  await eventually(async () => expect(await readiness(service)).toEqual(NO_SPACE));
  await rm(filler);
  await eventually(async () => expect(await readiness(service)).toEqual(OK));
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.log.match(/"msg":"store failed"/g)).toHaveLength(1);
});
