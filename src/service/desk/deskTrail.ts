import type { Insertable } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { DeskEventJson, DeskProposalJson } from '../../protocol/desk.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { DeskUser } from './deskUsers.ts';

/** A log-in with a wrong name or password. */
const FAILURE = 'fail to log in';
/** Maximum number of stored failures: strangers cause them, and must neither fill the store nor hide other events. */
const MAX_FAILURES = 100;

/** Actions of the audit trail. */
export type DeskAction =
  | 'log in'
  | typeof FAILURE
  | 'log out'
  | 'claim'
  | 'release'
  | 'lapse'
  | 'take back'
  | 'open'
  | 'listen'
  | 'propose term'
  | 'remove phrase'
  | 'restore phrase'
  | 'finish'
  | 'export'
  | 'import';

export interface FailedLogIn {
  /** The name as it was typed. */
  readonly user: string;
  /** The address of the client. */
  readonly address?: string;
}

/** Creates the audit trail, and the terms that people propose. The trail has no text of transcripts. */
export function createDeskTrail(opened: Promise<OpenStore>, now: () => Date) {
  const database = async () => (await opened).db;
  return {
    async add(userName: string, action: DeskAction, jobId?: string): Promise<void> {
      await addEvent(await database(), { happenedOn: now(), userName, action, jobId: jobId ?? null });
    },

    /** Stores a log-in that failed; only the latest are kept. */
    addFailure: async (failure: FailedLogIn) => addFailure(await database(), failure, now()),

    /** Returns the latest events, newest first. */
    async events(): Promise<readonly DeskEventJson[]> {
      const rows = await (await database())
        .selectFrom('deskEvents')
        .selectAll()
        .orderBy('happenedOn', 'desc')
        .orderBy('id')
        .limit(LIST_LIMIT.max)
        .execute();
      return rows.map(({ happenedOn, userName, action, jobId, address }) => ({
        on: happenedOn.toISOString(),
        user: userName,
        action,
        job_id: jobId ?? undefined,
        address: address ?? undefined,
      }));
    },

    /** Stores a term for the vocabulary of the customer of a job, once. */
    async propose(user: DeskUser, job: JobRecord, phrase: string): Promise<void> {
      const row = {
        id: createId(),
        accountId: job.accountId,
        phrase,
        jobId: job.id,
        proposedBy: user.name,
        proposedOn: now(),
      };
      await (await database())
        .insertInto('deskProposals')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute();
    },

    /** Returns the latest proposals, newest first. */
    async proposals(): Promise<readonly DeskProposalJson[]> {
      const rows = await (await database())
        .selectFrom('deskProposals')
        .selectAll()
        .orderBy('proposedOn', 'desc')
        .orderBy('id')
        .limit(LIST_LIMIT.max)
        .execute();
      return rows.map(row => ({
        account_id: row.accountId,
        phrase: row.phrase,
        job_id: row.jobId,
        proposed_by: row.proposedBy,
        proposed_on: row.proposedOn.toISOString(),
      }));
    },
  };
}

/** A new row of the trail, without its id. */
type NewEvent = Omit<Insertable<Tables['deskEvents']>, 'id'> & { readonly action: DeskAction };

/** Adds an event to the trail. @param db the database, or a transaction */
export async function addEvent(db: OpenStore['db'], event: NewEvent): Promise<void> {
  const row = { id: createId(), ...event };
  await db.insertInto('deskEvents').values(row).execute();
}

async function addFailure(db: OpenStore['db'], { user, address }: FailedLogIn, now: Date): Promise<void> {
  await addEvent(db, { happenedOn: now, userName: user, action: FAILURE, jobId: null, address });
  const failures = db.selectFrom('deskEvents').select('id').where('action', '=', FAILURE);
  const latest = failures.orderBy('happenedOn', 'desc').orderBy('id').limit(MAX_FAILURES);
  await db.deleteFrom('deskEvents').where('action', '=', FAILURE).where('id', 'not in', latest).execute();
}
