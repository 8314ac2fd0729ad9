import { readFileSync } from 'node:fs';

/** A process, distinct from a later one with the same id. */
export interface WriterProcess {
  readonly pid: number;
  /** Start of the process, in a form to be compared only; undefined where the system does not report it. */
  readonly start?: string | undefined;
}

/** Returns this process. */
export function thisProcess(): WriterProcess {
  return { pid: process.pid, start: statusOf(process.pid)?.start };
}

/** Returns whether a process still runs. Where the system does not report when processes began, the id decides. */
export function isRunning({ pid, start }: WriterProcess): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A missing permission means that the process exists.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const status = statusOf(pid);
  if (!status) return true;
  return !status.isDead && (start === undefined || status.start === start);
}

/** Returns the status as Linux reports it: the boot id, and the clock ticks from boot to the start of the process. */
function statusOf(pid: number): { readonly start: string; readonly isDead: boolean } | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: `${boot} ${fields[19]}`, isDead: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}
