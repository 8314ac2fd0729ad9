import { fstatSync, readSync, writeSync } from 'node:fs';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/**
 * Returns the error for a failed call of the file system.
 *
 * @param action the action that failed, as the start of a sentence: `Cannot write 'talk.spool'`
 */
export function fileError(action: string, cause: unknown, errorCode: ErrorCode = 'store'): RxscribeError {
  return new RxscribeError(errorCode, `${action}: ${fileReason(cause)}.`, { cause });
}

/** Writes all bytes; one system call may write only some of them. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Fills the bytes from a position on. Returns how many there were before the end of the file. */
export function readFully(fd: number, bytes: Uint8Array, position: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Write permission of group and others, as in `chmod`. */
const OTHERS_WRITE = 0o022;

/**
 * Checks that only the user can have written a file: a spool decides where the user's token is sent. Without effect on
 * systems where files have no owner.
 *
 * @throws RxscribeError `unreadable-input`
 */
export function checkOwner(fd: number, path: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const { uid, mode } = fstatSync(fd);
  if (uid === user && !(mode & OTHERS_WRITE)) return;
  const reason =
    uid === user
      ? `other users can write to it. If you trust its content, run 'chmod go-w' on it`
      : 'it belongs to another user';
  throw new RxscribeError('unreadable-input', `Cannot read spool '${path}': ${reason}.`);
}
