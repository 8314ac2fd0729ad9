import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux, by which /proc counts processor time. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time so far in seconds: of this process, and on Linux also of its children, where the recognisers
 * run.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

function childSeconds(): number {
  const self = statOf('self');
  if (!self) return 0;
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(statOf)
    .filter(stat => stat?.parent === process.pid);
  const ticks = children.reduce((sum, child) => sum + child!.own + child!.endedChildren, self.endedChildren);
  return ticks / TICKS_PER_SECOND;
}

/** Ticks of a process; undefined when it is gone, or the system has no /proc. */
function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index]);
    return { parent: at(1), own: at(11) + at(12), endedChildren: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
