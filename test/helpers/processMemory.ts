import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** True where the memory of another process can be read. */
export const canReadMemory = process.platform === 'linux';

/**
 * Resolves with the MiB by which the memory of a process at rest grew at most while something was done. Linux only.
 */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  await untilAtRest(pid);
  // Forgets the peak so far (man 5 proc).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = residentMebibytes(pid);
  await work();
  return mebibytes(pid, 'VmHWM') - before;
}

/** Waits until the memory of a process is steady: what compiles its WebAssembly takes hundreds of MB for a while. */
async function untilAtRest(pid: number): Promise<void> {
  for (let [last, steadySeconds] = [0, 0]; steadySeconds < 3; ) {
    await setTimeout(1000);
    const now = residentMebibytes(pid);
    steadySeconds = Math.abs(now - last) < 0.01 * now ? steadySeconds + 1 : 0;
    last = now;
  }
}

export function residentMebibytes(pid: number | 'self'): number {
  return mebibytes(pid, 'VmRSS');
}

function mebibytes(pid: number | 'self', name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024;
}
