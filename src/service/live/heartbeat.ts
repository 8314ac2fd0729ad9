import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';

/** Pings that may go without an answer. One alone may have met a socket that was made to stand still. */
export const MAX_UNANSWERED_PINGS = 2;

export interface HeartbeatOptions {
  /** Between two pings. */
  readonly heartbeatMs: number;
  readonly clock: Clock;
}

/** Drops a peer that is gone without a word. Returns the stop. */
export function startHeartbeat(socket: WebSocket, options: HeartbeatOptions): () => void {
  let unanswered = 0;
  let cancel = schedule();
  function schedule(): () => void {
    return options.clock.schedule(options.heartbeatMs, beat);
  }
  function beat(): void {
    // Of a socket that stands still no answer can be seen.
    if (socket.isPaused) unanswered = 0;
    if (unanswered === MAX_UNANSWERED_PINGS) {
      socket.terminate();
      return;
    }
    unanswered++;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = schedule();
  }
  const onSign = () => {
    unanswered = 0;
  };
  for (const sign of ['ping', 'pong', 'message'] as const) socket.on(sign, onSign);
  return () => {
    cancel();
    for (const sign of ['ping', 'pong', 'message'] as const) socket.off(sign, onSign);
  };
}
