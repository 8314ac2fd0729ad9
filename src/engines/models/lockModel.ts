import { join } from 'node:path';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { lockFile } from '../process/fileLock.ts';

/** Another process is downloading the model. */
export class ModelLockedError extends RxscribeError {
  override name = 'ModelLockedError';
}

/**
 * Locks a model by a file beside its directory, which stays. The end of the process releases the lock.
 *
 * @throws ModelLockedError `download` while another process, or another download of this one, has the lock; RxscribeError
 * `download` when the file cannot be opened, as that of another user, or is no lock; errors of the file system
 */
export function lockModel(modelsDirectory: string, name: string): Disposable {
  const path = join(modelsDirectory, `.${name}.lock`);
  const lock = lockOf(path);
  if (lock) return { [Symbol.dispose]: lock.release };
  throw new ModelLockedError('download', 'Cannot lock the model: another process is downloading it.');
}

function lockOf(path: string) {
  try {
    return lockFile(path, { mode: 0o666 });
  } catch (cause) {
    if ('syscall' in (cause as Error)) throw cause;
    const message = `Cannot lock the model by '${path}': ${reasonOf(cause)}. Remove the file, then run the command again.`;
    throw new RxscribeError('download', message, { cause });
  }
}
