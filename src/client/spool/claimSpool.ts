import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { isRunning, thisProcess, type WriterProcess } from './writerProcess.ts';

/** The file of an owner; `.free` once it has given up the spool. */
const NAME = /^owner\.([1-9]\d{0,8})(\.free)?$/;

/** Returns whether a file of a spool names an owner, by its name. */
export function isOwnerFile(name: string): boolean {
  return NAME.test(name);
}

/**
 * Makes this process the owner of a spool until it gives it up or ends; returns a function that gives it up.
 *
 * The owner is in the file with the highest number. Only one process can create the next one, and a number is never used
 * again: of several processes that find the spool free at the same time, one gets it.
 *
 * @throws RxscribeError `invalid-state` while another process, or another part of this one, owns the spool; errors of the file
 * system
 */
export function claimSpool(directory: string): () => void {
  const before = ownersOf(directory);
  if (before.newest > 0 && !before.isFree) checkEnded(directory, before.newest);
  const number = before.newest + 1;
  const path = ownerPath(directory, number);
  try {
    writeFileSync(path, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? taken(directory, number) : cause;
  }
  // Another process may have had this number meanwhile, and have given up the spool.
  const after = ownersOf(directory);
  if (after.newest > number || after.isFree) {
    rmSync(path, { force: true });
    throw taken(directory, after.newest);
  }
  for (const name of before.names) rmSync(join(directory, name), { force: true });
  return () => {
    try {
      // Unlike a write, this needs no space.
      renameSync(path, `${path}.free`);
    } catch {
      // The spool is free once this process has ended.
    }
  };
}

function ownersOf(directory: string) {
  const names = readdirSync(directory).filter(isOwnerFile);
  const newest = Math.max(0, ...names.map(name => Number(NAME.exec(name)![1])));
  return { names, newest, isFree: names.includes(`owner.${newest}.free`) };
}

function ownerPath(directory: string, number: number): string {
  return join(directory, `owner.${number}`);
}

function checkEnded(directory: string, number: number): void {
  const text = readFileSync(ownerPath(directory, number), 'utf8');
  const owner = jsonOf(text) as WriterProcess | undefined | null;
  if (!Number.isSafeInteger(owner?.pid) || isRunning(owner!)) throw taken(directory, number, owner?.pid);
}

function taken(directory: string, number: number, pid?: number): RxscribeError {
  const owner = pid === undefined ? 'another process' : `process ${pid}`;
  const message = `Cannot read spool '${directory}': ${owner} is using it. Wait until it has ended; if no such process runs, remove '${ownerPath(directory, number)}'.`;
  return new RxscribeError('invalid-state', message);
}
