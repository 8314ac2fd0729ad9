import { rmSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/** Removes a file, if it exists. The error has `name` before the path. @throws RxscribeError `store` */
export function removeFile(path: string, name: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new RxscribeError('store', `Cannot remove ${name} '${path}': ${fileReason(cause)}.`, { cause });
  }
}
