import type { IncomingMessage } from 'node:http';
import { createId } from '../../base/ids.ts';

/** The header that correlates a request, its answer, and the notification about its job. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Ids that are accepted; others could break lines of a log, or fill it. */
const REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the id that a client or a proxy gave a request, or else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER.toLowerCase()];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : createId();
}
