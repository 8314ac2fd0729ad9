import { fullJitterMs } from '../../../base/backoff.ts';
import { delay } from '../../../base/clock.ts';
import { RxscribeError } from '../../../base/errors.ts';
import { settledWithin, withAbort } from '../../../base/wait/withTimeout.ts';
import type { ObsAddress, ObsSession } from './obsSession.ts';

export interface ObsConnectionOptions extends ObsAddress {
  /** Milliseconds between requests that show whether the connection is alive. */
  readonly heartbeatMs: number;
  /** Called with each new connection. */
  readonly onConnected: (session: ObsSession) => void;
  /** Called after each successful heartbeat. */
  readonly onAlive: (session: ObsSession) => void;
  /** Called when the connection is lost, and when an attempt fails. */
  readonly onFailed: (error: unknown) => void;
}

/** A connection to OBS that reconnects whenever it ends. */
export interface ObsConnection {
  /** Ends the connection. Idempotent. */
  close(): Promise<void>;
}

/** Waits between attempts. */
const BACKOFF = { baseMs: 500, capMs: 10_000 } as const;
/** Minimum wait, so that jitter never becomes a busy loop. */
const LEAST_WAIT_MS = 100;
const CLOSE_MS = 1000;

/**
 * Makes one connection. The client of OBS is loaded with the first: programs without OBS start sooner.
 *
 * @throws RxscribeError `unreachable`, `unauthorized` or `protocol`; the signal's reason
 */
export async function openSession(address: ObsAddress, signal?: AbortSignal): Promise<ObsSession> {
  return (await import('./obsSession.ts')).ObsSession.open(address, signal);
}

/**
 * Connects to OBS, and connects again when OBS ends or no longer answers: after either machine has slept, a connection often
 * stays open without a peer.
 */
export function obsConnection(options: ObsConnectionOptions): ObsConnection {
  const { clock, onConnected, onFailed, onAlive, heartbeatMs } = options;
  const closed = new AbortController();
  const { signal } = closed;

  async function run(): Promise<void> {
    let attempt = 0;
    while (!signal.aborted) {
      try {
        const session = await openSession(options, signal);
        attempt = 0;
        await live(session);
      } catch (error) {
        if (signal.aborted) return;
        onFailed(error);
        await delay(Math.max(LEAST_WAIT_MS, fullJitterMs(attempt++, BACKOFF)), { clock, signal });
      }
    }
  }

  /** Rejects when the connection has ended. */
  async function live(session: ObsSession): Promise<never> {
    const over = AbortSignal.any([signal, session.ended]);
    try {
      signal.throwIfAborted();
      onConnected(session);
      while (true) {
        await delay(heartbeatMs, { clock, signal: over });
        await withAbort(session.call('GetVersion'), signal);
        onAlive(session);
      }
    } catch (error) {
      await session.end(error);
      throw error;
    }
  }

  // The delay of an attempt rejects on close.
  const running = run().catch(() => {});
  return {
    async close() {
      closed.abort(new RxscribeError('aborted', 'The output is closed.'));
      await settledWithin(CLOSE_MS, running, clock);
    },
  };
}
