import { ftruncateSync, readSync, statSync, writeSync } from 'node:fs';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/**
 * Calls the file system, and throws a failure as RxscribeError.
 *
 * @param action the action that may fail, as the start of a sentence: `Cannot write 'talk.spool'`
 */
export function orFileError<T>(action: string, run: () => T, errorCode: ErrorCode = 'store'): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError(errorCode, `${action}: ${fileReason(cause)}.`, { cause });
  }
}

/** Writes all bytes; one system call may write only some of them. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Writes all bytes to the end of a file. A failed write leaves nothing behind, so that another may follow. */
export function appendFully(fd: number, bytes: Uint8Array, position: number): void {
  try {
    writeFully(fd, bytes, position);
  } catch (error) {
    ftruncateSync(fd, position);
    throw error;
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

/** Returns the error for a spool with a file that cannot be what was written. */
export function damaged(path: string, place: string): RxscribeError {
  return new RxscribeError('unreadable-input', `Cannot read spool '${path}': it is damaged at ${place}.`);
}

/** Write permission of group and others, as in `chmod`. */
const OTHERS_WRITE = 0o022;

/**
 * Checks that only the user can have written a file or directory: a spool decides where the user's token is sent. Without
 * effect on systems where files have no owner.
 *
 * @throws RxscribeError `unreadable-input`
 */
export function checkOwner(path: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const { uid, mode } = statSync(path);
  if (uid === user && !(mode & OTHERS_WRITE)) return;
  const reason =
    uid === user
      ? `other users can write to it. If you trust its content, run 'chmod go-w' on it`
      : 'it belongs to another user';
  throw new RxscribeError('unreadable-input', `Cannot read spool '${path}': ${reason}.`);
}
