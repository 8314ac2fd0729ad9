import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux, by which /proc counts processor time. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time that an action takes, in seconds: of this process and of its children, those that have ended
 * and those that go on. Linux only; that of children in steps of 10 ms.
 */
export async function cpuSecondsOf(action: () => Promise<unknown>): Promise<number> {
  const [before, start] = [childSeconds(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(start);
  return childSeconds() - before + (user + system) / 1e6;
}

/** Processor time of all children so far. */
function childSeconds(): number {
  const { endedChildren } = statOf('self')!;
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(statOf)
    .filter(stat => stat?.parent === process.pid);
  const ticks = children.reduce((sum, child) => sum + child!.own + child!.endedChildren, endedChildren);
  return ticks / TICKS_PER_SECOND;
}

/** Ticks of a process; undefined when it is gone. */
function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index]);
    return { parent: at(1), own: at(11) + at(12), endedChildren: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
