import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';

export interface HeartbeatOptions {
  /** Between two pings; who is silent from one to the next is dropped. */
  readonly heartbeatMs: number;
  /** A client that pings and does not read its pongs is dropped above so many bytes. */
  readonly unsentBytes: number;
  readonly clock: Clock;
}

/** Drops a peer that is gone without a word. Returns the stop. */
export function startHeartbeat(socket: WebSocket, options: HeartbeatOptions): () => void {
  let isAlive = true;
  let cancel = schedule();
  function schedule(): () => void {
    return options.clock.schedule(options.heartbeatMs, beat);
  }
  function beat(): void {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    // Of a socket that stands still no pong can be seen.
    isAlive = socket.isPaused;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = schedule();
  }
  const onSign = () => {
    isAlive = true;
    if (socket.bufferedAmount > options.unsentBytes) socket.terminate();
  };
  for (const sign of ['ping', 'pong', 'message'] as const) socket.on(sign, onSign);
  return () => {
    cancel();
    for (const sign of ['ping', 'pong', 'message'] as const) socket.off(sign, onSign);
  };
}
