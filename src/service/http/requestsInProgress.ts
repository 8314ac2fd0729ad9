import type { Server } from 'node:http';

/** The requests in progress of a server. */
export interface RequestsInProgress {
  /** Resolves when there are none. */
  ended(): Promise<void>;
}

/** Counts the requests of a server; call before it listens. */
export function watchRequests(server: Server): RequestsInProgress {
  let count = 0;
  let end = () => {};
  server.prependListener('request', (_request, response) => {
    count++;
    response.once('close', () => {
      count--;
      if (count === 0) end();
    });
  });
  return {
    async ended() {
      if (count > 0) await new Promise<void>(resolve => (end = resolve));
    },
  };
}
