import { access } from 'node:fs/promises';
import { REFERENCE_ENDINGS } from '../reference/referenceKind.ts';
import { withoutEnding } from './withoutEnding.ts';

/** What was said in a recording: the file of its name beside it; undefined where there is none. */
export async function referenceBeside(path: string): Promise<string | undefined> {
  for (const ending of REFERENCE_ENDINGS) {
    const candidate = withoutEnding(path) + ending;
    if (candidate !== path && (await isThere(candidate))) return candidate;
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
