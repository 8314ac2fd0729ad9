import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { linesOf } from './lines.ts';
import { CHECKSUMS_PATH, checkPath, damaged, type Part } from './parts.ts';

/** A line of the checksums, in the format of `sha256sum`. */
export interface Checksum {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Yields the lines of the checksums.
 *
 * @throws RxscribeError `unreadable-input` for a line of another format, or with a path that no export has
 */
export async function* readChecksums(contents: AsyncIterable<Uint8Array>): AsyncGenerator<Checksum> {
  let number = 0;
  for await (const line of linesOf(CHECKSUMS_PATH, contents)) {
    number++;
    const { sha256, path } = /^(?<sha256>[0-9a-f]{64}) {2}(?<path>.+)$/.exec(line)?.groups ?? {};
    if (!sha256 || !path) throw damaged(`'${CHECKSUMS_PATH}', line ${number}, is no checksum`);
    checkPath(path);
    yield { path, sha256 };
  }
}

/** Returns a function that throws for a path that it has been called with before. */
export function refusingTwice(): (path: string) => void {
  const seen = new Set<string>();
  return path => {
    if (seen.size === seen.add(path).size) throw damaged(`it has '${path}' twice`);
  };
}

/** The checksums of the parts that have been read, in a temporary file: there may be millions of them. */
export type ReadParts = ReturnType<typeof createReadParts>;

/** Characters of checksums collected before they are written. */
const BUFFER_LENGTH = 65_536;

/** @param file path of the temporary file, in a directory that the caller removes */
export function createReadParts(file: string) {
  let text = '';
  const refuseTwice = refusingTwice();
  const flush = async () => {
    await appendFile(file, text, { mode: 0o600 });
    text = '';
  };
  async function* hashed({ path, bytes, contents, sha256: wanted }: Part): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let length = 0;
    for await (const chunk of contents) {
      hash.update(chunk);
      length += chunk.length;
      yield chunk;
    }
    const sha256 = hash.digest('hex');
    if (length !== bytes) throw damaged(`'${path}' has ${length} bytes instead of ${bytes}`);
    if (wanted !== undefined && sha256 !== wanted) throw damaged(`'${path}' is damaged`);
    text += `${sha256}  ${path}\n`;
    if (text.length >= BUFFER_LENGTH) await flush();
  }
  return {
    /**
     * Returns a part whose checksum is recorded when it has been read.
     *
     * @throws RxscribeError `unreadable-input` for a path that has been recorded; while it is read, when it differs from its length
     * or known checksum
     */
    recorded(part: Part): Part {
      refuseTwice(part.path);
      return { ...part, contents: hashed(part) };
    },

    /** Returns the part with the checksums. */
    async checksums(): Promise<Part> {
      await flush();
      const { size: bytes } = await stat(file);
      return { path: CHECKSUMS_PATH, bytes, contents: createReadStream(file) };
    },

    /** Compares with the checksums of an export. @throws RxscribeError `unreadable-input` when they differ */
    async compare(contents: AsyncIterable<Uint8Array>): Promise<void> {
      await flush();
      const found = readChecksums(createReadStream(file));
      for await (const { path, sha256 } of readChecksums(contents)) {
        const { value } = await found.next();
        if (value?.path !== path) {
          throw damaged(`'${path}' is missing, or not in its place. Unpack it, and import the directory`);
        }
        if (value.sha256 !== sha256) throw damaged(`'${path}' is damaged`);
      }
      const { value: left } = await found.next();
      if (left) throw damaged(`'${CHECKSUMS_PATH}' lacks '${left.path}'`);
    },
  };
}
