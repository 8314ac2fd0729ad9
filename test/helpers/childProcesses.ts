import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Process ids of the children of a process, by default this one, whose command line contains a text; Linux only. */
export function childrenWith(text: string, parentPid = process.pid): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === parentPid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Returns whether no trace of a process is left: neither running nor waiting to be reaped. */
export function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}`);
}

/**
 * Makes a shell script the program of that name for this process, before all others or, if `alone`, instead of them.
 *
 * @example
 * await using program = await installScript('ffmpeg', 'exit 3');
 */
export async function installScript(
  name: string,
  script: string,
  options: { readonly alone?: boolean } = {},
): Promise<AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'script-'));
  const path = join(directory, name);
  await writeFile(path, script.startsWith('#!') ? script : `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  const rest = options.alone ? '' : `${delimiter}${process.env.PATH}`;
  return withPath(`${directory}${rest}`, () => rm(directory, { recursive: true }));
}

/** Makes this process find no program at all. */
export async function hidePrograms(): Promise<AsyncDisposable> {
  return withPath('/nonexistent', async () => {});
}

function withPath(path: string, cleanUp: () => Promise<void>): AsyncDisposable {
  const before = process.env.PATH;
  process.env.PATH = path;
  return {
    async [Symbol.asyncDispose]() {
      process.env.PATH = before;
      await cleanUp();
    },
  };
}
