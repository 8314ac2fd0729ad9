import { join } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { lockFile } from '../process/fileLock.ts';

/** Another process is downloading the model. */
export class ModelLockedError extends RxscribeError {}

/**
 * Locks a model to one process by a file beside its directory, which stays. The end of the process releases the lock.
 *
 * @throws ModelLockedError `download` while another process has the lock; errors of the file system
 */
export function lockModel(modelsDirectory: string, name: string): Disposable {
  const lock = lockFile(join(modelsDirectory, `.${name}.lock`));
  if (lock) return { [Symbol.dispose]: lock.release };
  throw new ModelLockedError('download', 'Cannot lock the model: another process is downloading it.');
}
