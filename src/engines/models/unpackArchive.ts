import { once } from 'node:events';

/** The archive cannot be unpacked: its `cause` is of the file system, or of the archive. */
export class UnpackFailure extends Error {
  /** The file system is at fault. */
  get isOfSystem(): boolean {
    return this.cause instanceof Error && 'syscall' in this.cause;
  }
}

export interface UnpackArchiveOptions {
  /** The files that are wanted, as in the package, so without the first folder of the archive. */
  readonly paths: ReadonlySet<string>;
  /** Where they are written, with their folders. */
  readonly directory: string;
  /** Told how much of the archive has come. */
  readonly onBytes?: (bytes: number) => void;
}

/** The first folder of every path in a package's archive. */
const STRIPPED_FOLDERS = 1;

/**
 * Writes some files of a package's archive as it comes.
 *
 * @throws UnpackFailure; whatever the archive's source throws
 */
export async function unpackArchive(
  archive: AsyncIterable<Uint8Array>,
  { paths, directory, onBytes }: UnpackArchiveOptions,
): Promise<void> {
  const { Unpack } = await import('tar');
  const filter = (path: string) => paths.has(path.split('/').slice(STRIPPED_FOLDERS).join('/'));
  const unpacker = new Unpack({ cwd: directory, strip: STRIPPED_FOLDERS, filter, strict: true });
  // After the first there may be more.
  unpacker.on('error', () => {});
  const closed = once(unpacker, 'close').catch(cause => {
    throw new UnpackFailure('unpack archive', { cause });
  });
  closed.catch(() => {});
  try {
    let bytes = 0;
    for await (const piece of archive) {
      bytes += piece.length;
      onBytes?.(bytes);
      if (!unpacker.write(Buffer.from(piece))) await Promise.race([once(unpacker, 'drain'), closed]);
    }
  } finally {
    unpacker.end();
    await closed.catch(() => {});
  }
  await closed;
}
