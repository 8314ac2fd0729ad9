import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import type { GroupLimit } from '../rateLimits/rateLimits.ts';
import type { Tables } from '../store/tables.ts';
import { isAlive } from './member.ts';

/** Milliseconds after which a stream does not wait for the database any more. */
const SLOT_WAIT_MS = 1000;

/** Returns whether an account with streams of these ids may have no other one. */
type IsFull = (ids: readonly string[]) => boolean | undefined;

/** A stream of this process. */
export interface HeldSlot {
  readonly id: string;
  readonly accountId: string;
}

export interface SharedStreamSlotsOptions {
  /** Returns the database, and the id of this process in it; undefined until it has joined the others. */
  readonly joined: () => { readonly db: Kysely<Tables>; readonly memberId: string } | undefined;
  readonly clock: Clock;
  /** Called when a slot cannot be given back at once; the next heartbeat gives it back. */
  readonly onError: (error: unknown) => void;
}

/**
 * Creates the limits. A stream counts while its process is alive. While the database is unreachable, only the streams of this
 * process count, so that no stream waits for the store.
 */
export function createSharedStreamSlots({ joined, clock, onError }: SharedStreamSlotsOptions) {
  const running = new Map<string, string>();
  const held = (): readonly HeldSlot[] => [...running].map(([id, accountId]) => ({ id, accountId }));

  async function isTaken(slot: HeldSlot, isFull: IsFull): Promise<boolean> {
    const store = joined();
    if (!store) return true;
    const inserted = insertBelow(store.db, { ...slot, memberId: store.memberId }, isFull);
    return withTimeout(inserted, { clock, timeoutMs: SLOT_WAIT_MS }).catch(error => {
      // A process that stood still is no member until its next heartbeat. An unreachable database is reported elsewhere.
      const isForgotten = (error as { constraint?: string }).constraint === 'streams_member_id_fkey';
      if (!isForgotten && !(error instanceof RxscribeError)) throw error;
      return true;
    });
  }

  async function giveBack(id: string): Promise<void> {
    running.delete(id);
    await joined()?.db.deleteFrom('streams').where('id', '=', id).execute();
  }

  return {
    /** Returns the streams of this process. */
    running: held,
    async take(accountId: string, limit: number, group?: GroupLimit) {
      const isFull: IsFull = ids =>
        ids.length >= limit || (group && ids.filter(id => id.startsWith(group.key)).length >= group.limit);
      if (isFull(held().flatMap(slot => (slot.accountId === accountId ? [slot.id] : [])))) return undefined;
      // The group of a stream is part of its id, which is stored anyway.
      const id = (group?.key ?? '') + createId();
      // Before the row, which a heartbeat would delete.
      running.set(id, accountId);
      const taken = await isTaken({ id, accountId }, isFull).catch(error => {
        running.delete(id);
        throw error;
      });
      if (taken) return () => giveBack(id).catch(onError);
      running.delete(id);
      return undefined;
    },
  };
}

async function insertBelow(
  db: Kysely<Tables>,
  stream: HeldSlot & { readonly memberId: string },
  isFull: IsFull,
): Promise<boolean> {
  return db.transaction().execute(async trx => {
    // The requests of an account are serialised, or two could take the last slot.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`streams ${stream.accountId}`}, 0))`.execute(
      trx,
    );
    // A heartbeat may have added the stream.
    const { rows } = await sql<{ id: string }>`
      select streams.id from streams join members on members.id = streams.member_id
      where account_id = ${stream.accountId} and streams.id <> ${stream.id} and ${isAlive}`.execute(trx);
    if (isFull(rows.map(({ id }) => id))) return false;
    await trx
      .insertInto('streams')
      .values(stream)
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
    return true;
  });
}
