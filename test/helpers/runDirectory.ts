import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory for files that tests share; removed after the run. */
    runDirectory: string;
  }
}

const MEMORY = '/dev/shm';
const MEMORY_BYTES = 2 ** 30;

/** Returns the parent of the directory: memory where there is enough, since a database has a thousand small files. */
async function parentDirectory(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir();
}

/** Makes the directory of a run, and removes it at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await parentDirectory(), 'rxscribe-run-'));
  project.provide('runDirectory', directory);
  // Tests start some hundred processes of the same sources.
  process.env.NODE_COMPILE_CACHE ??= join(directory, 'compiled');
  return () => rm(directory, { recursive: true, force: true, maxRetries: 10 });
}
