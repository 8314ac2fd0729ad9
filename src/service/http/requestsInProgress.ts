import type { Server } from 'node:http';

/**
 * Counts the requests of a server; call before it listens.
 *
 * @returns a function that resolves when there are none in progress
 */
export function watchRequests(server: Server): () => Promise<void> {
  let count = 0;
  let end = () => {};
  server.prependListener('request', (_request, response) => {
    count++;
    response.once('close', () => {
      count--;
      if (count === 0) end();
    });
  });
  return async () => {
    if (count > 0) await new Promise<void>(resolve => (end = resolve));
  };
}
