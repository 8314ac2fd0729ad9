import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** A network between one process and one server. */
export interface Link extends AsyncDisposable {
  /** The port by which the process reaches the server. */
  readonly port: number;
  /** Delivers nothing any more, in both directions; connections stay, and new ones are neither refused nor answered. */
  cut(): void;
  /** Delivers again, first what was sent meanwhile, as TCP does. */
  heal(): void;
  /** Delivers nothing any more over the connections that there are, which nobody notices; new ones work. */
  forget(): void;
}

/** Opens a network to a server. */
export async function openLink(target: NetConnectOpts): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (from: Socket, to: Socket) => {
    from.on('data', data => {
      if (!to.write(data)) from.pause();
    });
    to.on('drain', () => {
      if (!isCut) from.resume();
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
    if (isCut) from.pause();
  };
  const server = createServer({ allowHalfOpen: true }, near => {
    add(near);
    const far = add(connect({ ...target, allowHalfOpen: true } as NetConnectOpts));
    join(near, far);
    join(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    forget() {
      for (const socket of sockets) socket.pause().removeAllListeners('drain');
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
