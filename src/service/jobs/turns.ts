import { type Kysely, sql } from 'kysely';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';

/**
 * The order of the queued jobs of a lane. Accounts take turns: the second job of an account comes after the first jobs of
 * all others, however many it has queued.
 */
export type Turns = ReturnType<typeof openTurns>;

/** Opens the turns of a database, which the processes that use it share. */
export function openTurns(db: Kysely<Tables>, lanes: Lanes) {
  /** Turns known to be recorded. */
  const recorded = new Map<Lane, number>();

  async function record(lane: Lane, turn: number): Promise<void> {
    if ((recorded.get(lane) ?? -1) >= turn) return;
    const { rows } = await sql<{ turn: number }>`
      insert into turns (lane, turn) values (${lane.name}, ${turn})
      on conflict (lane) do update set turn = greatest(turns.turn, excluded.turn) returning turn`.execute(db);
    recorded.set(lane, rows[0]?.turn ?? turn);
  }

  return {
    /** Returns the turn of a new job, within the transaction that adds it. */
    async next(
      trx: Kysely<Tables>,
      { accountId, type }: Pick<JobRecord, 'accountId' | 'type'>,
    ): Promise<number> {
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
      const present = await trx
        .selectFrom('turns')
        .select('turn')
        .where('lane', '=', lane.name)
        .executeTakeFirst();
      return Math.max(present?.turn ?? 0, (last?.turn ?? -1) + 1);
    },
    /** Records that a job has started: jobs added from now on come after those of earlier turns. */
    reached: ({ type, turn = 0 }: Pick<JobRecord, 'type' | 'turn'>) => record(laneOf(lanes, type), turn),
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
