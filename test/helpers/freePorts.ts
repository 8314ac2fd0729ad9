import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports of which the system gives none to the connections of clients, which would take them meanwhile. */
const FIRST = 15_000;
const COUNT = 15_000;

/** Returns ports of the loopback address that were free a moment ago, for programs that cannot pick one. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
}
