import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Connection } from './connection.ts';

/** Pings that may go without an answer. One alone may have met a socket that was made to stand still. */
export const MAX_UNANSWERED_PINGS = 2;

export interface HeartbeatOptions {
  /** Between two pings. */
  readonly heartbeatMs: number;
  readonly clock: Clock;
}

/** Drops a peer that is gone without a word: of whom nothing was heard after some pings. Returns the stop. */
export function startHeartbeat(
  socket: WebSocket,
  connection: Pick<Connection, 'isHeld' | 'bytesRead'>,
  options: HeartbeatOptions,
): () => void {
  let unanswered = 0;
  let heardBytes = connection.bytesRead;
  let cancel = schedule();
  function schedule(): () => void {
    return options.clock.schedule(options.heartbeatMs, beat);
  }
  function beat(): void {
    // Of a connection that stands still no answer can be seen.
    if (connection.isHeld || connection.bytesRead > heardBytes) unanswered = 0;
    heardBytes = connection.bytesRead;
    if (unanswered === MAX_UNANSWERED_PINGS) {
      socket.terminate();
      return;
    }
    unanswered++;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = schedule();
  }
  return () => cancel();
}
