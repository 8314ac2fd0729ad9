import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../store/serverDatabase.ts';
import { listenToServer } from '../store/serverPool.ts';
import type { Tables } from '../store/tables.ts';
import type { Worker } from './worker.ts';

/** A message about a queue: entries were added, or the work on one is to be aborted. */
interface QueueSignal {
  readonly name: string;
  /** Id of a removed entry. */
  readonly dropped?: string;
}

/**
 * Messages between the processes that share a queue. They save time only: a worker looks for entries every few seconds, and
 * learns of a removed one at its next heartbeat.
 */
export interface QueueSignals {
  /** Sends a message, which arrives when the transaction is committed. */
  send(db: Kysely<Tables>, signal: QueueSignal): Promise<void>;
  /** Begins to pass messages to the workers of this process. */
  listen(): void;
  close(): Promise<void>;
}

/** The messages of a process that has the queue for itself. */
export const NO_SIGNALS: QueueSignals = { send: async () => {}, listen: () => {}, close: async () => {} };

const CHANNEL = 'rxscribe_queue';

/** Creates the messages of a queue on a database server. */
export function createQueueSignals(
  { queueDatabase, clock }: { readonly queueDatabase: Database['queueDatabase']; readonly clock: Clock },
  workers: ReadonlyMap<string, Worker>,
): QueueSignals {
  let stop: (() => Promise<void>) | undefined;
  return {
    async send(db, signal) {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(signal)})`.execute(db);
    },
    listen() {
      stop ??= listenToServer(queueDatabase.connectionString!, CHANNEL, {
        clock,
        onConnected() {
          for (const worker of workers.values()) worker.wake();
        },
        onMessage(message) {
          const { name, dropped }: QueueSignal = JSON.parse(message);
          const worker = workers.get(name);
          if (dropped === undefined) worker?.wake();
          else void worker?.drop(dropped);
        },
      });
    },
    close: async () => stop?.(),
  };
}
