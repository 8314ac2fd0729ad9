import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

/** Makes a directory with these files, which is removed after the test. */
export async function suiteFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  return directory;
}

/** The first line of a cassette, by which it is recognized. */
export const CASSETTE_HEADER =
  '{"type":"cassette","version":1,"recorded_at":"2026-01-01T00:00:00Z","software":{}}\n';
