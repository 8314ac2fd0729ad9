import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file in hexadecimal, in bounded memory.
 *
 * @throws the signal's reason; whatever the file system throws
 */
export async function fileDigest(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}

/**
 * Does some work on files; what the system says against it becomes an error of ours, which names the path.
 *
 * @param path what is named where the system names none
 * @throws RxscribeError of the code; whatever else the work throws
 */
export async function withFileErrors<T>(
  { code, action, path }: { readonly code: ErrorCode; readonly action: string; readonly path: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = getSystemErrorMap().get(error.errno)?.[1] ?? 'a fault of the system';
    throw new RxscribeError(
      code,
      `${action}: wanted to ${error.syscall} ${error.path ?? path}, found ${reason} (${error.code})`,
      { cause: error },
    );
  }
}

type SystemError = Error &
  Required<Pick<NodeJS.ErrnoException, 'errno' | 'code' | 'syscall'>> & { path?: string };

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'syscall' in error;
}
