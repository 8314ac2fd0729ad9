import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { fileError } from './fileAccess.ts';
import { parseWriter } from './spoolSchema.ts';
import { isRunning, thisProcess } from './writerProcess.ts';

/** The right to take over a spool, which one process has at a time. */
export interface SpoolClaim extends Disposable {
  /** @throws RxscribeError `invalid-state` when another process has it by now */
  check(): void;
}

/**
 * Claims a spool by a file beside it, for as long as it is read: two that found it free at once would both write to it.
 * The claim of a process that is no more is taken over.
 *
 * @throws RxscribeError `invalid-state` while another process has it; `unreadable-input` when there can be no such file
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
    throw fileError(`claim spool ${lock}`, cause, 'unreadable-input');
  }
}

function removeStale(path: string, lock: string): void {
  const found = contents(lock);
  const owner = found === undefined ? undefined : parseWriter(Buffer.from(found));
  if (found !== undefined && (!owner || isRunning(owner))) throw taken(path, owner?.pid);
  // Renamed first: of all that find it stale one gets it, and sees whether it is still the one that was.
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (contents(aside) !== found) {
    // Of one who was faster: it finds out by its check when yet another takes the place.
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
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  const message = `read spool ${path}: ${who} is about to take it over; if none is, remove ${path}.lock`;
  return new RxscribeError('invalid-state', message);
}
