import { createId } from '../../base/ids.ts';
import type { DeskEventJson, DeskProposalJson } from '../../protocol/desk.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { DeskUser } from './deskUsers.ts';

/** Actions of the audit trail. */
export type DeskAction =
  | 'log in'
  | 'log out'
  | 'claim'
  | 'release'
  | 'take back'
  | 'open'
  | 'listen'
  | 'propose term'
  | 'finish'
  | 'export'
  | 'import';

/** The audit trail, and the terms that people propose. The trail has no text of transcripts. */
export interface DeskTrail {
  add(user: string, action: DeskAction, jobId?: string): Promise<void>;
  /** Returns the latest events, newest first. */
  events(): Promise<readonly DeskEventJson[]>;
  /** Stores a term for the vocabulary of the customer of a job, once. */
  propose(user: DeskUser, job: JobRecord, phrase: string): Promise<void>;
  /** Returns the latest proposals, newest first. */
  proposals(): Promise<readonly DeskProposalJson[]>;
}

export function createDeskTrail(opened: Promise<OpenStore>, now: () => Date): DeskTrail {
  const database = async () => (await opened).db;
  return {
    async add(userName, action, jobId) {
      const row = { id: createId(), happenedOn: now(), userName, action, jobId: jobId ?? null };
      await (await database()).insertInto('deskEvents').values(row).execute();
    },

    async events() {
      const rows = await (await database())
        .selectFrom('deskEvents')
        .selectAll()
        .orderBy('happenedOn', 'desc')
        .orderBy('id')
        .limit(LIST_LIMIT.max)
        .execute();
      return rows.map(({ happenedOn, userName, action, jobId }) => ({
        on: happenedOn.toISOString(),
        user: userName,
        action,
        ...(jobId !== null && { job_id: jobId }),
      }));
    },

    async propose(user, job, phrase) {
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

    async proposals() {
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
