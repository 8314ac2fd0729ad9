import { once } from 'node:events';

/** A failure to unpack an archive, caused by the file system or the archive. */
export class UnpackFailure extends Error {
  /** True when the file system is the cause. */
  get isOfSystem(): boolean {
    return this.cause instanceof Error && 'syscall' in this.cause;
  }
}

export interface UnpackArchiveOptions {
  /** Paths of the wanted files in the package, without the archive's top folder. */
  readonly paths: ReadonlySet<string>;
  /** Directory in which they are written, with their folders. */
  readonly directory: string;
  /** Called with the bytes of the archive so far. */
  readonly onBytes?: (bytes: number) => void;
}

/** Number of top folders in the paths of a package's archive. */
const STRIPPED_FOLDERS = 1;

/**
 * Extracts some files of a package's archive while it arrives.
 *
 * @throws UnpackFailure; errors of the source
 */
export async function unpackArchive(
  archive: AsyncIterable<Uint8Array>,
  { paths, directory, onBytes }: UnpackArchiveOptions,
): Promise<void> {
  const { Unpack } = await import('tar');
  const filter = (path: string) => paths.has(path.split('/').slice(STRIPPED_FOLDERS).join('/'));
  const unpacker = new Unpack({ cwd: directory, strip: STRIPPED_FOLDERS, filter, strict: true });
  // The first error may be followed by more.
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
