import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { settledWithin } from '../base/wait/settledWithin.ts';

/** Lets requests that are under way end, for a while. */
export async function closeHttp(app: FastifyInstance, timeoutMs: number, clock: Clock): Promise<void> {
  const closed = app.close();
  await settledWithin(timeoutMs, closed, clock);
  app.server.closeAllConnections();
  await settledWithin(timeoutMs, closed, clock);
}
