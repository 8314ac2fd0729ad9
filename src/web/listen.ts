import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RxscribeError, reasonOf } from '../base/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Choose another port.',
  EACCES: 'it is not allowed. Choose a port above 1023.',
  EADDRNOTAVAIL: 'the address does not belong to this computer. Choose 127.0.0.1 or 0.0.0.0.',
  ENOTFOUND: 'the host is not known. Choose 127.0.0.1 or 0.0.0.0.',
};

/** Address that a server listens on; port 0 for a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Starts a server. Resolves with its port.
 *
 * @param problem beginning of the message when it fails
 * @throws RxscribeError `unavailable` with one line on the reason
 */
export async function listen(
  server: Server,
  address: ListenAddress,
  problem = 'Cannot listen',
): Promise<number> {
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (cause) {
    throw listenError(address, cause, problem);
  }
  return (server.address() as AddressInfo).port;
}

/** Returns the error of a server that cannot listen. */
export function listenError(
  { host, port }: ListenAddress,
  cause: unknown,
  problem = 'Cannot listen',
): RxscribeError {
  const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? `${reasonOf(cause)}.`;
  return new RxscribeError('unavailable', `${problem} on '${host}', port ${port}: ${reason}`, { cause });
}

/** Returns a host and a port as in a URL. */
export function authority({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
