import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { reasonOf } from '../../base/errors.ts';
import type { HostEnd, WorkHost } from './host.ts';
import { openUnnamedFile } from './unnamedFile.ts';

/** Variables that a child process gets of its parent. */
const INHERITED = ['LD_LIBRARY_PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** Lets glibc take memory by pages of 2 MB, where Linux has them: models are loaded in two thirds of the time. */
const MEMORY = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Bytes of a log that are kept as the cause of an error. */
const MAX_LOG_BYTES = 4000;

/**
 * Runs a file that calls `serveWork` in a child process: its work blocks nothing here, and a crash ends only the child.
 *
 * @param flags flags of Node, added to those that all child processes get
 */
export function startChildProcess(entry: URL, flags: readonly string[] = []): WorkHost {
  // Not a pipe: a native library logs in a thousand small pieces, and a full pipe would lose some.
  const log = openUnnamedFile();
  const child = fork(entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', log, 'ipc'],
    // A process group of its own: Ctrl-C in a terminal must not end it before the last results have come.
    detached: true,
    windowsHide: true,
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    // The environment of the service may hold tokens and addresses, which the child does not need.
    env: { ...MEMORY, ...Object.fromEntries(INHERITED.map(name => [name, process.env[name]])) },
  });
  let isGoing = false;
  const ended = endOf(child).then((reason): HostEnd => ({ reason, log: takeLog(log) }));
  const hold = (held: boolean) => {
    const method = held ? 'ref' : 'unref';
    child[method]();
    // The channel of Bun lacks these methods.
    child.channel?.[method]?.();
  };
  return {
    ended,
    // A failed send means that the process is going: `ended` says why.
    send: message => void (child.connected && child.send(message, () => {})),
    listen: listener => void child.on('message', listener as (message: unknown) => void),
    // The event loop must not run dry before the end of a killed process was awaited.
    hold: held => void (!isGoing && hold(held)),
    async kill() {
      isGoing = true;
      hold(true);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return Promise.race([
    once(child, 'error').then(([error]) => reasonOf(error)),
    // The channel ends after its last message was read, which may say why the process ended.
    Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
      ([[code, signal]]) => `its process ended (${signal ?? `exit ${code}`})`,
    ),
  ]);
}

/** Returns the end of a log and closes its file. */
function takeLog(descriptor: number): string {
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, MAX_LOG_BYTES));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8').trim();
  } finally {
    closeSync(descriptor);
  }
}
