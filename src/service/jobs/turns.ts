import type { Kysely } from 'kysely';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';

/**
 * The order in which the queued jobs of a lane are run. Accounts take turns: the second job of an account comes after the
 * first ones of all others that wait, however many it has queued before them.
 */
export interface Turns {
  /** The turn of a job that an account adds, in the transaction that adds it. */
  next(trx: Kysely<Tables>, job: Pick<JobRecord, 'accountId' | 'type'>): Promise<number>;
  /** A job is begun: what is added to its lane from now on comes after those of earlier turns. */
  reached(record: Pick<JobRecord, 'type' | 'turn'>): void;
}

/** Goes on where the queues are. */
export async function openTurns(db: Kysely<Tables>, lanes: Lanes): Promise<Turns> {
  const present = new Map<Lane, number>();
  const rows = await db
    .selectFrom('jobs')
    .select(['type', ({ fn }) => fn.min<number | null>('turn').as('turn')])
    .where('status', '=', 'in_progress')
    .where('stage', 'is', null)
    .groupBy('type')
    .execute();
  for (const { type, turn } of rows) {
    const lane = laneOf(lanes, type);
    if (turn !== null) present.set(lane, Math.min(present.get(lane) ?? turn, turn));
  }
  return {
    async next(trx, { accountId, type }) {
      const lane = laneOf(lanes, type);
      const others = lanes.filter(other => other !== lane).flatMap(({ types }) => types);
      let jobs = trx
        .selectFrom('jobs')
        .select(({ fn }) => fn.max<number | null>('turn').as('turn'))
        .where('accountId', '=', accountId)
        .where('status', '=', 'in_progress');
      // The first lane has what no other has.
      if (lane !== lanes[0]) jobs = jobs.where('type', 'in', lane.types);
      else if (others.length > 0) jobs = jobs.where('type', 'not in', others);
      const last = await jobs.executeTakeFirst();
      return Math.max(present.get(lane) ?? 0, (last?.turn ?? -1) + 1);
    },
    reached({ type, turn = 0 }) {
      const lane = laneOf(lanes, type);
      present.set(lane, Math.max(present.get(lane) ?? 0, turn));
    },
  };
}

/** Jobs that wait for one another and for no others: each lane has a queue and a capacity of its own. */
export interface Lane {
  /** Names its queue, so that it stays the same for good. */
  readonly name: string;
  /** Types of job. */
  readonly types: readonly string[];
  /** Jobs that run at the same time. */
  readonly concurrency: number;
}

/** Lanes; what no other takes is of the first. */
export type Lanes = readonly [Lane, ...Lane[]];

/** Returns the lane of a type of job. */
export function laneOf(lanes: Lanes, type: string): Lane {
  return lanes.find(({ types }) => types.includes(type)) ?? lanes[0];
}
