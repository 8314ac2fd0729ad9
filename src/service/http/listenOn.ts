import type { FastifyInstance } from 'fastify';
import { RxscribeError } from '../../base/errors.ts';
import { type ListenAddress, listenError } from '../../web/listen.ts';

/**
 * Listens on an address.
 *
 * @param what is served, for the log
 * @throws RxscribeError `unavailable`
 */
export async function listenOn(app: FastifyInstance, address: ListenAddress, what?: string): Promise<void> {
  try {
    const named = what === undefined ? 'listening' : `${what}: listening`;
    await app.listen({ ...address, listenTextResolver: at => `${named} at ${at}` });
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw listenError(address, cause);
  }
}
