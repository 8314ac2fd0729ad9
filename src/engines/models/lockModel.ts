import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';

const LOCK = '.pulling';

/**
 * Keeps a model's directory to one process. A lock that a process left behind when it died is taken over.
 *
 * @throws RxscribeError `download` while another process has it
 */
export async function lockModel(directory: string): Promise<AsyncDisposable> {
  const path = join(directory, LOCK);
  const take = () => writeFile(path, String(process.pid), { flag: 'wx' });
  try {
    await take();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(holder))
      throw new RxscribeError(
        'download',
        `pull into ${directory}: process ${holder} is doing that. If it is not, remove ${path}`,
      );
    await rm(path, { force: true });
    await take();
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** Our own number on a lock that we do not hold is one of another time. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
