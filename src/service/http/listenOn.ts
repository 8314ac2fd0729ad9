import type { FastifyInstance } from 'fastify';
import { RxscribeError, reasonOf } from '../../base/errors.ts';

/**
 * Listens on an address.
 *
 * @param what is served, for the log
 * @throws RxscribeError `unavailable`
 */
export async function listenOn(
  app: FastifyInstance,
  address: { readonly host: string; readonly port: number },
  what?: string,
): Promise<void> {
  const { host, port } = address;
  try {
    const named = what === undefined ? 'listening' : `${what}: listening`;
    await app.listen({ ...address, listenTextResolver: at => `${named} at ${at}` });
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('unavailable', `Cannot listen on ${host}, port ${port}: ${reasonOf(cause)}.`, {
      cause,
    });
  }
}
