import type { Kysely } from 'kysely';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';

/**
 * The order of the queued jobs of a lane. Accounts take turns: the second job of an account comes after the first jobs of
 * all others, however many it has queued.
 */
export interface Turns {
  /** Returns the turn of a new job, within the transaction that adds it. */
  next(trx: Kysely<Tables>, job: Pick<JobRecord, 'accountId' | 'type'>): Promise<number>;
  /** Notes that a job has started: jobs added from now on come after those of earlier turns. */
  reached(record: Pick<JobRecord, 'type' | 'turn'>): void;
}

/** Restores the turns from the queued jobs. */
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
      // The first lane has all types that no other lane has.
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

/** A group of job types with a queue and a capacity of its own. */
export interface Lane {
  /** Name of its queue; must never change. */
  readonly name: string;
  /** Job types of the lane. */
  readonly types: readonly string[];
  /** Maximum number of jobs at the same time. */
  readonly concurrency: number;
}

/** Lanes; the first one has all types that no other has. */
export type Lanes = readonly [Lane, ...Lane[]];

/** Returns the lane of a job type. */
export function laneOf(lanes: Lanes, type: string): Lane {
  return lanes.find(({ types }) => types.includes(type)) ?? lanes[0];
}
