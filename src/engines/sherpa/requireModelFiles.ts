import { access } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';

/**
 * Makes sure that a model's files can be read: the library does not always say which one it misses.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function requireModelFiles(model: ModelDirectory): Promise<void> {
  for (const [name, file] of Object.entries(model.files)) {
    try {
      await access(file);
    } catch (error) {
      throw new RxscribeError(
        'engine-missing',
        `load the model in ${model.path}: its ${name} is not there: ${file}`,
        {
          cause: error,
        },
      );
    }
  }
}
