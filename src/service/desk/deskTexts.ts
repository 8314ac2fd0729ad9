import type { DeskChange, DeskDraftJson, DeskTurn } from '../../protocol/desk.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import {
  claimedJob,
  claimedNow,
  conflict,
  type DeskContext,
  machineTranscript,
  segmentsOf,
} from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';
import { beginDraft, readDraft, saveDraft } from './drafts.ts';
import { checkTurns, turnsOf } from './turns.ts';

/** Creates the texts of jobs that people have claimed. All calls throw a ProblemError unless the user has claimed the job. */
export function createDeskTexts(context: DeskContext) {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const machineTurns = async (job: JobRecord): Promise<readonly DeskTurn[]> =>
    turnsOf(await machineTranscript(context, job), segmentsOf(job));

  return {
    /** Returns the latest draft. The first one is the text of the machine. */
    async read(user: DeskUser, id: string): Promise<DeskDraftJson> {
      const job = await claimedNow(context, user, id);
      const { db } = await opened;
      const known = await readDraft(db, id);
      if (known) return known;
      const turns = await machineTurns(job);
      return db.transaction().execute(async trx => {
        await claimedJob(trx, { id, user, now: now() });
        return beginDraft(trx, id, turns, now());
      });
    },

    /** Returns the text of the machine. */
    async machine(user: DeskUser, id: string): Promise<DeskDraftJson> {
      return { revision: 0, turns: await machineTurns(await claimedNow(context, user, id)) };
    },

    /** Saves a change, and returns the new revision. @throws ProblemError when another revision is the latest */
    async save(user: DeskUser, id: string, change: DeskChange): Promise<number> {
      const { db } = await opened;
      return db.transaction().execute(async trx => {
        const { durationSeconds = 0 } = await claimedJob(trx, { id, user, now: now() });
        checkTurns(change.turns, durationSeconds);
        const revision = await saveDraft(trx, id, change, now());
        if (revision === undefined) throw conflict('revision');
        return revision;
      });
    },
  };
}
