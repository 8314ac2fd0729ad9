import { Session } from 'node:inspector/promises';

/**
 * Returns unused memory to the operating system: collects garbage, which V8 does not do in an idle program,
 * and lets glibc return free memory between used blocks, which it never does by itself. Blocks the process
 * for some tenths of a second.
 */
export async function returnMemory(): Promise<void> {
  await collectGarbage();
  await trimHeap();
}

/** Resolves when all unreachable objects are collected. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** Does nothing with another C library than glibc. */
async function trimHeap(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    const { koffi } = await import('./koffi.ts');
    koffi.load('libc.so.6').func('int malloc_trim(size_t)')(0);
  } catch {
    // musl has neither the file nor the function, and returns memory when it is freed.
  }
}
