import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';

/**
 * Checks that files can be written in a directory, which need not exist yet. Creates nothing.
 *
 * @throws InvalidArgumentError when they cannot
 */
export async function checkDirectory(directory: string): Promise<string> {
  let existing = resolve(directory);
  while (!statSync(existing, { throwIfNoEntry: false })) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error('it is not a directory');
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new InvalidArgumentError(`Cannot write to '${directory}': ${fileReason(cause)}.`, { cause });
  }
  const isThere = existing === resolve(directory);
  return `Files can be written to '${directory}'${isThere ? '' : ', which will be created'}.`;
}
