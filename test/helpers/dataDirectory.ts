import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openQueue } from '../../src/service/jobs/queue.ts';
import { openStore } from '../../src/service/store/store.ts';

let template: Promise<string> | undefined;

afterAll(async () => {
  if (template) await rm(await template, { recursive: true, force: true });
  template = undefined;
});

/** An empty directory, which is removed when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A data directory with an empty database, which takes seconds to make: each test file makes one, and copies it. */
export async function dataDirectory(): Promise<string> {
  template ??= makeTemplate();
  const directory = await temporaryDirectory();
  await cp(await template, directory, { recursive: true });
  return directory;
}

async function makeTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-template-'));
  const store = openStore({
    dataDirectory: directory,
    clock: systemClock,
    onError: unexpected,
  });
  const names = ['jobs', 'deliveries'];
  const queue = await openQueue({ ...(await store.opened), names, clock: systemClock, onError: unexpected });
  await queue.close();
  await store.close();
  return directory;
}

function unexpected(error: unknown): never {
  throw error;
}
