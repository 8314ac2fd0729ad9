import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Connection } from './connection.ts';

/** Pings that may stay unanswered. A single one may have met a socket that was paused. */
const MAX_UNANSWERED_PINGS = 2;

export interface HeartbeatOptions {
  /** Milliseconds between two pings. */
  readonly heartbeatMs: number;
  readonly clock: Clock;
}

/** Drops a peer that sent nothing after several pings. Returns a function that stops the pings. */
export function startHeartbeat(
  socket: WebSocket,
  connection: Pick<Connection, 'isHeld' | 'bytesRead'>,
  options: HeartbeatOptions,
): () => void {
  let unanswered = 0;
  let seenBytes = connection.bytesRead;
  let cancel = schedule();
  function schedule(): () => void {
    return options.clock.schedule(options.heartbeatMs, beat);
  }
  function beat(): void {
    // Answers on a paused connection cannot be seen.
    if (connection.isHeld || connection.bytesRead > seenBytes) unanswered = 0;
    seenBytes = connection.bytesRead;
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
