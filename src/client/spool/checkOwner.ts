import { fstatSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';

/** Others' right to write, as in `chmod`. */
const OTHERS_WRITE = 0o022;

/**
 * What a spool says is done with the user's token: only the user may have written it. Nothing where files have no owners.
 *
 * @throws RxscribeError `unreadable-input`
 */
export function checkOwner(fd: number, path: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const { uid, mode } = fstatSync(fd);
  const found =
    uid !== user
      ? 'one of another user'
      : mode & OTHERS_WRITE
        ? 'one that others may write (chmod go-w)'
        : '';
  if (found === '') return;
  throw new RxscribeError(
    'unreadable-input',
    `read spool ${path}: wanted a file that only you can have written, found ${found}`,
  );
}
