import { type Dirent, existsSync } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { RxscribeError, unreadable } from '../../../base/errors.ts';
import { fileReason } from '../../../base/text.ts';
import { audioNameIn } from '../../cassette/audioNames.ts';
import { REFERENCE_ENDINGS } from '../../reference/reference.ts';
import type { SuiteCase } from '../suite.ts';

/** Extensions of recordings in a directory; any other file with sound can be named directly. */
const AUDIO_ENDINGS = [
  ...['.wav', '.flac', '.mp3', '.ogg', '.oga', '.opus', '.m4a', '.aac', '.aif', '.aiff', '.wma', '.amr'],
  ...['.mp4', '.m4v', '.mov', '.mkv', '.webm', '.avi', '.mpg', '.mpeg'],
] as const;

/** Maximum number of recordings; a directory with more was given by mistake. */
const MAX_FILES = 100_000;

/**
 * Finds all recordings and cassettes below a directory, in the order of their paths. Hidden files and directories are
 * skipped, a directory that a link leads back to is read once, and the audio beside a cassette belongs to that
 * cassette.
 *
 * @throws RxscribeError `unreadable-input` when the directory cannot be read
 */
export async function discover(
  directory: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly SuiteCase['input'][]> {
  const { signal } = options;
  const paths: string[] = [];
  const seen = new Set<string>();
  async function walk(folder: string): Promise<void> {
    signal?.throwIfAborted();
    const real = await realpath(folder);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      const kind = await kindOf(entry, path);
      if (kind === 'directory') await walk(path);
      else if (kind === 'file' && isTaken(path)) paths.push(path);
      if (paths.length > MAX_FILES)
        throw unreadable(`'${directory}'`, `it has more than ${MAX_FILES} recordings`);
    }
  }
  await walk(directory).catch(cause => {
    signal?.throwIfAborted();
    throw cause instanceof RxscribeError ? cause : unreadable(`'${directory}'`, fileReason(cause), cause);
  });
  return inputsOf(paths);
}

/** Returns the kind of an entry; undefined for a broken link. */
async function kindOf(entry: Dirent, path: string): Promise<'file' | 'directory' | undefined> {
  const stats = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
  if (stats?.isDirectory()) return 'directory';
  return stats?.isFile() ? 'file' : undefined;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function isTaken(path: string): boolean {
  const ending = extname(path).toLowerCase();
  return ending === '.jsonl' || AUDIO_ENDINGS.some(known => known === ending);
}

async function inputsOf(paths: readonly string[]): Promise<readonly SuiteCase['input'][]> {
  const inputs: SuiteCase['input'][] = [];
  const belonging = new Set<string>();
  for (const path of paths) {
    const kind = await inputKind(path);
    if (kind === undefined) continue;
    inputs.push({ kind, path });
    if (kind === 'cassette') {
      const audio = audioNameIn(path);
      if (audio !== undefined) belonging.add(join(dirname(path), basename(audio)));
    }
  }
  return inputs.filter(({ path }) => !belonging.has(path));
}

/** Pattern in the first line of a cassette. */
const CASSETTE_TYPE = /"type"\s*:\s*"cassette"/;
const HEAD_BYTES = 16_384;

/**
 * Returns the kind of a file by its extension: `.cassette.jsonl` is a cassette, however damaged, and other JSON Lines
 * are a cassette if their first line says so. Undefined for any other JSON Lines.
 */
export async function inputKind(path: string): Promise<SuiteCase['input']['kind'] | undefined> {
  const name = path.toLowerCase();
  if (name.endsWith('.cassette.jsonl')) return 'cassette';
  if (!name.endsWith('.jsonl')) return 'audio';
  await using file = await open(path).catch(cause => {
    throw unreadable(`'${path}'`, fileReason(cause), cause);
  });
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const [first = ''] = buffer.toString('utf8', 0, bytesRead).trimStart().split('\n');
  return CASSETTE_TYPE.test(first) ? 'cassette' : undefined;
}

/** Removes the extension of a path, and that of a cassette: `a/call.cassette.jsonl` becomes `a/call`. */
export function withoutEnding(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  return bare.endsWith('.cassette') ? bare.slice(0, -'.cassette'.length) : bare;
}

/** Returns the path of the reference beside a recording, with the same name; undefined when there is none. */
export function referenceBeside(path: string): string | undefined {
  const candidates = REFERENCE_ENDINGS.map(ending => withoutEnding(path) + ending);
  return candidates.find(candidate => candidate !== path && existsSync(candidate));
}
