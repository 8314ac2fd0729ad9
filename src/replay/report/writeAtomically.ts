import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** The text of a file, at once or in pieces. */
export type FileText = string | Iterable<string>;

/** Writes a file that appears with all of its text, or not at all. */
export async function writeAtomically(path: string, text: FileText, signal?: AbortSignal): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(draft, text, { flag: 'wx', signal });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
