import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ReadEntry } from 'tar';
import type { CatalogueFile } from './catalogue.ts';

/** A failure to unpack an archive, caused by the file system or the archive. */
export class UnpackFailure extends Error {
  /** True when the file system is the cause. */
  get isOfSystem(): boolean {
    return this.cause instanceof Error && 'syscall' in this.cause;
  }
}

export interface UnpackArchiveOptions {
  /** The wanted files of the package; their paths are without the archive's top folder. */
  readonly files: readonly CatalogueFile[];
  /** Directory in which they are written by their names. */
  readonly directory: string;
  /** Limit of the archive's size. */
  readonly maxBytes: number;
  /** Called with the bytes of the archive so far. */
  readonly onBytes?: (bytes: number) => void;
}

/** Number of top folders in the paths of a package's archive. */
const STRIPPED_FOLDERS = 1;
/** Limit of the size of all other files: text is some 4 times as large as its archive, a bomb 1000 times. */
const maxOtherBytes = (archiveBytes: number) => 10 * archiveBytes + 64 * 1024 * 1024;

/**
 * Extracts some files of a package's archive while it arrives.
 *
 * Only ordinary files of the expected sizes are written, to names that the catalogue gives: no archive fills the disk,
 * makes links, or writes elsewhere.
 *
 * @throws UnpackFailure; errors of the source
 */
export async function unpackArchive(
  archive: AsyncIterable<Uint8Array>,
  { files, directory, maxBytes, onBytes }: UnpackArchiveOptions,
): Promise<void> {
  const { Parser } = await import('tar');
  const wanted = new Map(files.map(file => [file.path ?? file.name, file]));
  const outputs: WriteStream[] = [];
  let otherBytes = 0;
  const isWanted = (path: string, { size }: { readonly size: number }) => {
    if (wanted.has(packagePath(path))) return true;
    otherBytes += size;
    if (otherBytes > maxOtherBytes(maxBytes))
      parser.abort(archiveFault('EBADSIZE', 'its other files are too large'));
    return false;
  };
  const extract = (entry: ReadEntry) => {
    const { name, bytes } = wanted.get(packagePath(entry.path))!;
    if (!entry.type.endsWith('File') || entry.size !== bytes) {
      parser.abort(archiveFault('TAR_ENTRY_INVALID', `'${name}' is no file of ${bytes} bytes`));
      return;
    }
    const output = createWriteStream(join(directory, name));
    output.on('error', error => parser.abort(error));
    outputs.push(output);
    entry.pipe(output);
  };
  const parser = new Parser({ strict: true, filter: isWanted, onReadEntry: extract });
  // The first error may be followed by more.
  parser.on('error', () => {});
  const fail = (cause: unknown) => {
    throw new UnpackFailure('unpack archive', { cause });
  };
  const closed = once(parser, 'close').catch(fail);
  closed.catch(() => {});
  try {
    let bytes = 0;
    for await (const piece of archive) {
      bytes += piece.length;
      if (bytes > maxBytes) parser.abort(archiveFault('EBADSIZE', `it has more than ${maxBytes} bytes`));
      onBytes?.(bytes);
      if (!parser.write(Buffer.from(piece))) await Promise.race([once(parser, 'drain'), closed]);
    }
    parser.end();
    await closed;
    await Promise.all(outputs.map(output => finished(output))).catch(fail);
  } finally {
    // Afterwards nothing is being written.
    for (const output of outputs) output.destroy();
    await Promise.allSettled(outputs.map(output => finished(output)));
  }
}

function packagePath(path: string): string {
  return path.split('/').slice(STRIPPED_FOLDERS).join('/');
}

function archiveFault(code: string, reason: string): Error {
  return Object.assign(new Error(`Cannot unpack the archive: ${reason}.`), { code });
}
