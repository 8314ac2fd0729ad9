import { reasonOf } from './errors.ts';

/** Returns the reason of a failed system call without its code and path, for use within another message. */
export function fileReason(cause: unknown): string {
  const reason = reasonOf(cause);
  const [, code, text] = /^(E[A-Z0-9]+): (.+?)(?:, \w+(?: '.*')?)?$/.exec(reason) ?? [];
  return code === 'ENOSPC'
    ? 'no space left on the device. Free some space, then run the command again'
    : (text ?? reason);
}
