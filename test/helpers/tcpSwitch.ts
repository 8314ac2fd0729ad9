import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP balancer, which passes each new connection to the service that the test has named last. */
export interface TcpSwitch {
  readonly url: string;
  /** Names the service of the connections to come. */
  to(service: { readonly port: number }): void;
}

export async function startTcpSwitch(first: { readonly port: number }): Promise<TcpSwitch> {
  let { port } = first;
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1');
    onTestFinished(() => void near.destroy());
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to(service) {
      port = service.port;
    },
  };
}
