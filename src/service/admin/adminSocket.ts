import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { RxscribeError } from '../../base/errors.ts';
import { ADMIN_SOCKET_NAME } from '../../protocol/admin.ts';

/** Bytes of the path of a socket, by the system's `sockaddr_un`, whose last byte is zero. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Listens on a socket in the data directory that only the owner of this process can use.
 *
 * The directory is of this service alone: a socket that is there was left by one that was killed, and is replaced.
 *
 * @returns takes the socket away
 * @throws RxscribeError `unavailable` when the path is longer than the system allows
 */
export async function listenOnAdminSocket(
  app: FastifyInstance,
  dataDirectory: string,
): Promise<() => Promise<void>> {
  const path = join(dataDirectory, ADMIN_SOCKET_NAME);
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new RxscribeError(
      'unavailable',
      `admin socket: wanted a path of at most ${MAX_SOCKET_PATH_BYTES} bytes, found ${bytes}`,
    );
  }
  // Until its mode is set a socket may be open to others, so it is made where nobody else comes. This first name is no
  // longer than the second.
  const directory = await mkdtemp(join(dataDirectory, '.a'));
  const first = join(directory, 's');
  try {
    await app.listen({ path: first, listenTextResolver: () => 'administration over a socket' });
    await chmod(first, 0o600);
    await rename(first, path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return () => rm(path, { force: true });
}
