import { existsSync, rmSync } from 'node:fs';
import { messageOf, RxscribeError } from '../../base/errors.ts';

/**
 * Sees to it that files can be made: what is there goes when it may be overwritten.
 *
 * @throws RxscribeError `store` when one is there that may not, or cannot, be removed
 */
export function makeRoom(
  paths: readonly string[],
  { overwrite = false }: { readonly overwrite?: boolean },
): void {
  const there = paths.find(path => !overwrite && existsSync(path));
  if (there !== undefined) {
    throw new RxscribeError(
      'store',
      `record: wanted a new file, found ${there}; choose another name, or overwrite it`,
    );
  }
  for (const path of paths) remove(path);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new RxscribeError('store', `record: replace ${path}: ${messageOf(cause)}`, { cause });
  }
}
