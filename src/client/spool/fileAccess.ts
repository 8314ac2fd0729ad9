import { readSync, writeSync } from 'node:fs';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no room left on the device',
  EDQUOT: 'the quota of the user is used up',
  EFBIG: 'the file is as large as files may be',
  EACCES: 'no permission',
  EROFS: 'the device is read-only',
  ENOENT: 'not there',
  EISDIR: 'a directory',
};

/** What a failed call of the file system becomes: an error that says what was tried on which file. */
export function fileError(action: string, cause: unknown, errorCode: ErrorCode = 'store'): RxscribeError {
  const code = String((cause as NodeJS.ErrnoException).code ?? '');
  const reason = REASONS[code] ?? (code || 'it failed');
  return new RxscribeError(errorCode, `${action}: ${reason}`, { cause });
}

/** Writes all bytes: one call of the system may write only the first of them. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Fills the bytes from a position on. Gives how many there were before the end of the file. */
export function readFully(fd: number, bytes: Uint8Array, position: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
