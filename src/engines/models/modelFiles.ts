import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * Returns the hexadecimal SHA-256 of a file, in bounded memory.
 *
 * @throws the signal's reason; errors of the file system
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
 * Runs work on files and turns file system errors into an error of the given code that names the path.
 *
 * @param path named when the system names none
 * @throws RxscribeError of the code; other errors of the work
 */
export async function withFileErrors<T>(
  { code, action, path }: { readonly code: ErrorCode; readonly action: string; readonly path: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = getSystemErrorMap().get(error.errno)?.[1] ?? 'file system error';
    throw new RxscribeError(
      code,
      `Cannot ${action}: ${reason} (${error.code}, ${error.syscall} '${error.path ?? path}').`,
      { cause: error },
    );
  }
}

type SystemError = Error &
  Required<Pick<NodeJS.ErrnoException, 'errno' | 'code' | 'syscall'>> & { path?: string };

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'syscall' in error;
}
