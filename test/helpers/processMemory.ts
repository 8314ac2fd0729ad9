import { readFileSync, writeFileSync } from 'node:fs';

/** True where the memory of another process can be read. */
export const canReadMemory = process.platform === 'linux';

/** Resolves with the MiB by which the memory of a process grew at most while something was done. Linux only. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  // Forgets the peak so far (man 5 proc).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = mebibytes(pid, 'VmRSS');
  await work();
  return mebibytes(pid, 'VmHWM') - before;
}

function mebibytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024;
}
