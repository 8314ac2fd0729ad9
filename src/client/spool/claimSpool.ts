import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { fileError } from './fileAccess.ts';
import { parseWriter } from './spoolSchema.ts';
import { isRunning, thisProcess } from './writerProcess.ts';

/** The right of one process at a time to take over a spool. */
export interface SpoolClaim extends Disposable {
  /**
   * Checks that the claim still holds.
   *
   * @throws RxscribeError `invalid-state` when another process has claimed the spool meanwhile
   */
  check(): void;
}

/**
 * Claims a spool by a lock file beside it, for as long as it is read: two processes that found it free at the same time
 * would both write to it. The claim of a process that has ended is taken over.
 *
 * @throws RxscribeError `invalid-state` while another process holds the claim; `unreadable-input` when the lock file cannot
 * be created
 */
export function claimSpool(path: string): SpoolClaim {
  const lock = `${path}.lock`;
  const mine = JSON.stringify({ ...thisProcess(), header: 0, id: randomUUID() });
  if (!write(lock, mine)) {
    removeStale(path, lock);
    if (!write(lock, mine)) throw taken(path);
  }
  return {
    check() {
      if (contents(lock) !== mine) throw taken(path);
    },
    [Symbol.dispose]() {
      if (contents(lock) === mine) rmSync(lock, { force: true });
    },
  };
}

function write(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileError(`Cannot create '${lock}'`, cause, 'unreadable-input');
  }
}

function removeStale(path: string, lock: string): void {
  const found = contents(lock);
  const owner = found === undefined ? undefined : parseWriter(Buffer.from(found));
  if (found !== undefined && (!owner || isRunning(owner))) throw taken(path, owner?.pid);
  // Renamed first: of several processes that find the lock stale, only one gets it. That one then checks that the lock is the
  // stale one.
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (contents(aside) !== found) {
    // The claim of a faster process is put back; that process notices by its check when yet another one was faster.
    write(lock, contents(aside) ?? '');
    rmSync(aside, { force: true });
    throw taken(path);
  }
  rmSync(aside, { force: true });
}

function contents(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}

function taken(path: string, pid?: number): RxscribeError {
  const owner = pid === undefined ? 'another process' : `process ${pid}`;
  const message = `Cannot read spool '${path}': ${owner} is taking it over. Wait until it has finished; if no such process runs, remove '${path}.lock'.`;
  return new RxscribeError('invalid-state', message);
}
