import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { RxscribeError } from '../../base/errors.ts';
import { ADMIN_SOCKET_NAME } from '../../protocol/admin.ts';

/** Maximum bytes of the path of a socket, from the system's `sockaddr_un`, whose last byte is zero. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Listens on a socket in the data directory that only the user of this process can access.
 *
 * The directory belongs to this service alone: an existing socket was left by a killed process, and is replaced.
 *
 * @returns a function that removes the socket
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
      `The path of the admin socket must have at most ${MAX_SOCKET_PATH_BYTES} bytes, not ${bytes}. ` +
        'Choose a shorter data directory.',
    );
  }
  // A socket may be open to others until its mode is set, so it is created in a private directory. This first path is no
  // longer than the final one.
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
