import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';

/** Content of a lock file. */
interface LockOwner {
  /** Unique id of this lock: process ids are reused. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** Another process is downloading the model. */
export class ModelLockedError extends RxscribeError {}

/** Ids of the locks of this process. */
const held = new Set<string>();

/**
 * Locks a model to one process by a file beside its directory. The lock of a process of this machine that
 * died is taken over.
 *
 * The lock is a chain of files: the first one, and after each file of a dead owner a successor named after
 * that owner's id. Hard links create each file atomically, for one process only. The owner deletes the first
 * file first, so a successor that finds the first file unchanged is the only one.
 *
 * @throws ModelLockedError `download` while another process has the lock; errors of the file system
 */
export async function lockModel(modelsDirectory: string, name: string): Promise<AsyncDisposable> {
  const lock = join(modelsDirectory, `.${name}.pulling`);
  const owner: LockOwner = { id: randomUUID(), pid: process.pid, host: hostname() };
  const own = `${lock}.${owner.id}.new`;
  held.add(owner.id);
  try {
    await writeFile(own, JSON.stringify(owner), { flag: 'wx', flush: true });
    let chain: readonly string[] | undefined;
    while (!chain) chain = await claim(own, lock);
    const taken = chain;
    return { [Symbol.asyncDispose]: () => release(taken, owner) };
  } catch (error) {
    held.delete(owner.id);
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Returns the files of the lock, with ours as the last; undefined when the lock has changed meanwhile. */
async function claim(own: string, lock: string): Promise<readonly string[] | undefined> {
  const chain = [lock];
  const dead: string[] = [];
  for (let last = lock; !(await isLinked(own, last)); chain.push(last)) {
    const owner = await readOwner(last);
    if (!owner) return undefined;
    if (isAlive(owner)) throw taken(last, owner);
    dead.push(owner.id);
    last = `${lock}.${owner.id}`;
  }
  if (dead.length === 0 || (await readOwner(lock))?.id === dead[0]) return chain;
  await rm(chain.at(-1)!, { force: true });
  return undefined;
}

async function release(chain: readonly string[], { id }: LockOwner): Promise<void> {
  for (const path of chain) await rm(path, { force: true });
  held.delete(id);
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(path: string): Promise<LockOwner | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { id, pid, host } = JSON.parse(text) as LockOwner;
    if (/^[\da-f-]{36}$/.test(id) && Number.isInteger(pid) && pid > 0) return { id, pid, host };
  } catch {
    // Handled below.
  }
  throw new RxscribeError(
    'download',
    `Cannot lock the model: '${path}' is not a lock. Remove it, then run the command again.`,
  );
}

/**
 * Returns whether the owner may be alive. Process ids of other machines or containers cannot be checked, so
 * their owners count as alive.
 */
function isAlive({ id, pid, host }: LockOwner): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(id);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function taken(path: string, { pid, host }: LockOwner): ModelLockedError {
  const place = host === hostname() ? '' : ` on ${host}`;
  return new ModelLockedError(
    'download',
    `Cannot lock the model: process ${pid}${place} is downloading it. If it is not, remove '${path}'.`,
  );
}
