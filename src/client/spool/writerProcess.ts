import { readFileSync } from 'node:fs';

/** A process, told from a later one with the same number. */
export interface WriterProcess {
  readonly pid: number;
  /** When it began, in a form that only equality is asked of; undefined where the system does not say. */
  readonly start?: string | undefined;
}

/** What a writer says before it writes. */
export interface WriterRecord extends WriterProcess {
  /** Checksum of the first line of the file. */
  readonly header: number;
  /** Base64, of a sealed spool. */
  readonly salt?: string | undefined;
}

export function thisProcess(): WriterProcess {
  return { pid: process.pid, start: statusOf(process.pid)?.start };
}

/** Whether a process still runs. Where the system does not tell when processes began, any with its number is taken for it. */
export function isRunning({ pid, start }: WriterProcess): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Without permission there is one.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const status = statusOf(pid);
  if (!status) return true;
  return !status.isDead && (start === undefined || status.start === start);
}

/** As Linux says it: the clock ticks from the start of the system to that of the process, and which start that was. */
function statusOf(pid: number): { readonly start: string; readonly isDead: boolean } | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, which comes second in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: `${boot} ${fields[19]}`, isDead: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}
