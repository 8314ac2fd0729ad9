import { connect } from 'node:net';
import { socketServer } from './loopbackServer.ts';

/** A TCP balancer, which passes each new connection to the service that the test has named last. */
export interface TcpSwitch {
  readonly url: string;
  /** Names the service of the connections to come. */
  to(service: { readonly port: number }): void;
}

export async function startTcpSwitch(first: { readonly port: number }): Promise<TcpSwitch> {
  let { port } = first;
  const { url } = await socketServer(near => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  return {
    url,
    to(service) {
      port = service.port;
    },
  };
}
