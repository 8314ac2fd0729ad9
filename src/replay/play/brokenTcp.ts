import type { Socket } from 'node:net';

/** Resets a connection; what was written before still comes to the other side. */
export function reset(tcp: Socket): void {
  if (tcp.writableLength === 0) tcp.resetAndDestroy();
  else tcp.write('', () => tcp.resetAndDestroy());
}

/** From now on nobody reads what the other side sends, so that neither a ping nor a close is answered. */
export function fallSilent(tcp: Socket): void {
  tcp.removeAllListeners('data');
  tcp.removeAllListeners('end');
  tcp.on('data', () => {});
  tcp.on('end', () => tcp.destroy());
}
