import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { within } from './within.ts';

/** Lets requests that are under way end, for a while. */
export async function closeHttp(app: FastifyInstance, timeoutMs: number, clock: Clock): Promise<void> {
  const closed = app.close();
  await within(timeoutMs, closed, clock);
  app.server.closeAllConnections();
  await within(timeoutMs, closed, clock);
}
