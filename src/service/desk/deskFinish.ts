import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { AllowEnd } from '../jobs/jobs.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { type Draft, finishHuman, withMachineTimes } from '../tasks/human/finishHuman.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import {
  claimedNow,
  conflict,
  type DeskContext,
  machineTranscript,
  refuseClaimOfUser,
  requireClaim,
  segmentsOf,
  waitingJob,
} from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';
import { readDraft } from './drafts.ts';
import { readWork, withoutWords } from './readWork.ts';
import { transcriptOf, turnsOf } from './turns.ts';

/** The ends of jobs. A job ends only if it still may when its words have times: nobody loses what was saved meanwhile. */
export interface DeskFinish {
  /**
   * Ends a job with its draft.
   *
   * @throws ProblemError unless the user has claimed it; when another revision is the latest, or it has no words
   */
  finish(user: DeskUser, id: string, revision: number): Promise<void>;
  /**
   * Ends a job with work that is not in the draft, as {@link readWork} reads it.
   *
   * @param user default: an operator, who needs no claim
   * @throws ProblemError when it cannot be read, names a revision of the draft that is not the latest, or a user of the desk
   * has claimed the job
   */
  finishWith(id: string, contents: string, user?: DeskUser): Promise<void>;
}

/** Returns the transcript with times for words that have none. */
export type TimeWords = (transcript: Transcript, job: JobRecord) => Promise<Transcript>;

export function createDeskFinish(
  context: DeskContext,
  { timeWords }: { readonly timeWords: TimeWords },
): DeskFinish {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const finishing = new Map<string, Promise<void>>();

  /** Times the words of a transcript, and ends the job with it if it still may. */
  async function endWith(work: Transcript, { job, wanted, mayEnd }: Ending): Promise<void> {
    if (!hasWords(work)) throw withoutWords();
    // Long parts without any times are not aligned.
    const timed = await timeWords(withMachineTimes(work, wanted.draft, wanted.input), job);
    const finished = finishHuman(timed, wanted.draft, wanted.input);
    const results = { transcript: JSON.stringify(encodeTranscript(finished)) };
    let refusal: unknown;
    const isAllowed: AllowEnd = (trx, record) =>
      mayEnd(trx, record).then(
        () => true,
        error => {
          refusal = error;
          return false;
        },
      );
    const isEnded = await context.jobs.human.finish(job.id, { status: 'done' }, results, isAllowed);
    if (!isEnded) throw refusal ?? conflict('ended');
  }

  async function finish(user: DeskUser, id: string, revision: number): Promise<void> {
    const job = await claimedNow(context, user, id);
    const draft = await readDraft((await opened).db, id);
    if ((draft?.revision ?? 0) !== revision) throw conflict('revision');
    const wanted = await wantedOf(context, job);
    const turns = draft?.turns ?? turnsOf(wanted.draft.transcript, segmentsOf(job));
    await endWith(transcriptOf(turns), {
      job,
      wanted,
      async mayEnd(trx, record) {
        requireClaim(record, { user, now: now() });
        await requireRevision(trx, id, revision);
      },
    });
  }

  return {
    finish(user, id, revision) {
      // A call that is repeated, as its answer was lost, has the same end.
      const key = JSON.stringify([user.name, id, revision]);
      const begun = finishing.get(key) ?? finish(user, id, revision).finally(() => finishing.delete(key));
      finishing.set(key, begun);
      return begun;
    },

    async finishWith(id, contents, user) {
      const { db } = await opened;
      const check = (record: JobRecord) =>
        user ? requireClaim(record, { user, now: now() }) : refuseClaimOfUser(record, now());
      const job = await waitingJob(db, id);
      check(job);
      const wanted = await wantedOf(context, job);
      const { transcript, revision } = readWork(contents, wanted.input.human?.speakerNames);
      const mayEnd = async (trx: OpenStore['db'], record: JobRecord) => {
        check(record);
        if (revision !== undefined) await requireRevision(trx, id, revision);
      };
      await mayEnd(db, job);
      await endWith(transcript, { job, wanted, mayEnd });
    },
  };
}

interface Ending {
  readonly job: JobRecord;
  readonly wanted: Wanted;
  /** Throws a ProblemError unless the job may end now. */
  readonly mayEnd: (trx: OpenStore['db'], record: JobRecord) => Promise<void>;
}

function hasWords({ monologues }: Transcript): boolean {
  return monologues.some(({ elements }) => elements.some(({ type }) => type !== 'punct'));
}

/** @throws ProblemError when the latest revision of a draft is another one */
async function requireRevision(db: OpenStore['db'], jobId: string, revision: number): Promise<void> {
  const row = await db
    .selectFrom('deskDrafts')
    .select('revision')
    .where('jobId', '=', jobId)
    .executeTakeFirst();
  if ((row?.revision ?? 0) !== revision) throw conflict('revision');
}

/** The parts of a job that a person's work is merged with. */
interface Wanted {
  readonly draft: Draft;
  readonly input: TranscriptionInput;
}

async function wantedOf(context: DeskContext, job: JobRecord): Promise<Wanted> {
  const transcript = await machineTranscript(context, job);
  const found = await context.jobs.human.find(job.id);
  if (found?.input === undefined) throw conflict('ended');
  const draft = { transcript, seconds: job.durationSeconds ?? 0 };
  return { draft, input: found.input as TranscriptionInput };
}
