import { on, once } from 'node:events';
import type { Readable } from 'node:stream';
import { Header, Parser, type ReadEntry } from 'tar';
import { reasonOf } from '../../base/errors.ts';
import { damaged, type Part } from './parts.ts';

const BLOCK_BYTES = 512;

/** Yields the bytes of a tar archive of parts. */
export async function* writeTar(parts: AsyncIterable<Part>, modifiedOn: Date): AsyncGenerator<Uint8Array> {
  for await (const { path, bytes, contents } of parts) {
    const header = new Header({ path, size: bytes, mode: 0o600, type: 'File', mtime: modifiedOn });
    header.encode();
    yield header.block!;
    let left = bytes;
    for await (const chunk of contents) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw new Error(`'${path}' has ${bytes - left} bytes, not ${bytes}.`);
    yield new Uint8Array((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

/**
 * Yields the files of a tar archive, which may be compressed, as they arrive.
 *
 * @throws RxscribeError `unreadable-input` for bytes that are no whole archive, or one with links
 */
export async function* readTar(source: Readable): AsyncGenerator<Part> {
  const parser = new Parser({ strict: true });
  const entries = on(parser, 'entry', { close: ['end'] });
  const closing = new AbortController();
  let current: ReadEntry | undefined;
  let failure: Error | undefined;
  parser.on('error', cause => {
    const reason = reasonOf(cause).replace(/^TAR_\w+: /, '');
    failure ??= damaged(`it is not a whole tar archive (${reason})`, cause);
    // The remaining bytes of the entry will never arrive.
    current?.destroy();
  });
  const fed = feed(parser, source, closing.signal).catch(cause => parser.emit('error', cause));
  try {
    for await (const [entry] of entries) {
      current = entry;
      if (entry.type === 'Directory') entry.resume();
      else yield partOf(entry, () => failure);
    }
  } catch (error) {
    throw failure ?? error;
  } finally {
    closing.abort();
    source.destroy();
    await fed;
  }
}

/** Writes an archive to a parser as fast as its entries are read. */
async function feed(parser: Parser, source: Readable, signal: AbortSignal): Promise<void> {
  for await (const chunk of source) {
    if (!parser.write(chunk)) await once(parser, 'drain', { signal });
  }
  parser.end();
}

function partOf(entry: ReadEntry, failure: () => Error | undefined): Part {
  // Archives of directories have paths with this prefix.
  const path = entry.path.replace(/^\.\//, '');
  if (entry.type !== 'File' && entry.type !== 'OldFile') {
    throw damaged(`'${path}' in the tar archive is no regular file`);
  }
  async function* contents() {
    try {
      for await (const chunk of entry) yield chunk;
    } catch (error) {
      throw failure() ?? error;
    }
    // The last entry of an archive that is cut ends early.
    const cause = failure();
    if (cause) throw cause;
  }
  return { path, bytes: entry.size, contents: contents() };
}
