import { access } from 'node:fs/promises';
import { withoutEnding } from './withoutEnding.ts';

/** Endings of references, the one that is taken first where there are several. */
export const REFERENCE_ENDINGS = ['.txt', '.json', '.srt', '.vtt', '.ctm', '.stm'] as const;

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
