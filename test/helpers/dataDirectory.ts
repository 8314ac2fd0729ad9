import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openQueue } from '../../src/service/jobs/queue.ts';
import { openStore } from '../../src/service/store/store.ts';
import { unexpected } from './unexpected.ts';

/** Makes an empty directory, which is removed at the end of the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Makes a data directory with an empty database, which is removed at the end of the test. */
export async function dataDirectory(): Promise<string> {
  const directory = await copiedDatabase();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Makes an empty directory that all tests of a file share, which is removed after the run. */
export function sharedDirectory(): string {
  return mkdtempSync(join(inject('runDirectory'), 'data-'));
}

/**
 * Makes a data directory with an empty database, which is removed after the run. To make a database takes five seconds,
 * to copy one a tenth of a second.
 *
 * @param directory an empty one. Default: a new one
 */
export async function copiedDatabase(directory = sharedDirectory()): Promise<string> {
  // The asynchronous calls take five times as long for a thousand files.
  cpSync(await template(), directory, { recursive: true });
  return directory;
}

/** Returns the one template of a run; the first test that needs it makes it, and those in other workers wait for it. */
async function template(): Promise<string> {
  const path = join(inject('runDirectory'), 'template');
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isFirst) await makeTemplate(path).finally(() => rmdir(lock));
    else await setTimeout(20);
  }
  return path;
}

async function makeTemplate(path: string): Promise<void> {
  if (existsSync(path)) return;
  const draft = await mkdtemp(`${path}-`);
  const store = openStore({ dataDirectory: draft, clock: systemClock, onError: unexpected });
  const names = ['jobs', 'deliveries'];
  const queue = await openQueue({ ...(await store.opened), names, clock: systemClock, onError: unexpected });
  await queue.close();
  await store.close();
  await rename(draft, path);
}
