import { Session } from 'node:inspector/promises';

/**
 * Gives memory that nobody uses back to the operating system: collects garbage, which V8 does not do while a program is
 * idle, and has glibc return what is free between pieces that are in use, which it never does by itself. The process
 * stands still meanwhile, for some tenths of a second.
 */
export async function returnMemory(): Promise<void> {
  await collectGarbage();
  await trimHeap();
}

/** Resolves when all that nothing refers to is gone. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** Does nothing where the C library is another one than glibc. */
async function trimHeap(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    const { koffi } = await import('./koffi.ts');
    koffi.load('libc.so.6').func('int malloc_trim(size_t)')(0);
  } catch {
    // musl has neither the file nor the function, and returns memory as it is freed.
  }
}
