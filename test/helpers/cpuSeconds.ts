import { readFileSync } from 'node:fs';

/** Processor time that an action takes, of this process and of those it started, as far as they have ended. */
export async function cpuSecondsOf(action: () => Promise<unknown>): Promise<number> {
  const children = () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  };
  const [before, start] = [children(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(start);
  return children() - before + (user + system) / 1e6;
}
