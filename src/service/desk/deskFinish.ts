import { createHash } from 'node:crypto';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { withNames } from '../../transcript/merge/withNames.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { AllowEnd } from '../jobs/jobs.ts';
import { ProblemError } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { correctionsIn, type Draft, finishHuman, withMachineTimes } from '../tasks/human/finishHuman.ts';
import { namesForText } from '../tasks/human/humanText.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import {
  claimantOf,
  claimedNow,
  conflict,
  type DeskContext,
  machineTranscript,
  refuseClaimOfUser,
  requireClaim,
  segmentsOf,
  waitingJob,
  wantedSeconds,
} from './deskContext.ts';
import { addEvent } from './deskTrail.ts';
import type { DeskUser } from './deskUsers.ts';
import { readDraft } from './drafts.ts';
import { readWork, withoutWords } from './readWork.ts';
import { transcriptOf, turnsOf } from './turns.ts';

/** Work that ends a job, and continues when no request waits for it. */
export interface Ending {
  /** Identifies the work, also after a restart. */
  readonly workId: string;
  readonly jobId: string;
  /** Rejects when the job may not end with this work. */
  readonly ended: Promise<void>;
  isSettled: boolean;
  /** Share of the audio that has been heard to align words without times, 0 to 1. */
  progress: number;
}

/** Returns the transcript with times for words that have none. */
export type TimeWords = (
  transcript: Transcript,
  job: JobRecord,
  onProgress: (fraction: number) => void,
) => Promise<Transcript>;

/** Maximum number of remembered endings, settled ones included. */
const MAX_ENDINGS = 1000;

/**
 * Creates the ends of jobs. Whether a job may end is checked again when its words have times, so that no work saved meanwhile
 * is lost.
 */
export function createDeskFinish(context: DeskContext & { readonly timeWords: TimeWords }) {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  return {
    begin: createEndings(context),

    /**
     * Ends a job with its draft.
     *
     * @throws ProblemError unless the user has claimed it; when another revision is the latest, or it has no words
     */
    async finish(ending: Ending, user: DeskUser, revision: number): Promise<void> {
      const check = (record: JobRecord) => requireClaim(record, { user, now: now() });
      const job = await claimedNow(context, user, ending.jobId);
      const draft = await readDraft((await opened).db, job.id);
      if ((draft?.revision ?? 0) !== revision) throw conflict('revision');
      const wanted = await wantedOf(context, job);
      const turns = draft?.turns ?? turnsOf(wanted.draft.transcript, segmentsOf(job));
      const work = withNames(transcriptOf(turns), { speakers: draft?.speaker_names });
      await endWith(context, ending, { job, wanted, work, revision, check, user });
    },

    /**
     * Ends a job with work that is not in the draft, as {@link readWork} reads it.
     *
     * @param user default: an operator, who needs no claim
     * @throws ProblemError when it cannot be read, names a revision of the draft that is not the latest, or a user of the desk
     * has claimed the job
     */
    async finishWith(ending: Ending, contents: string, user?: DeskUser): Promise<void> {
      const { db } = await opened;
      const check = (record: JobRecord) =>
        user ? requireClaim(record, { user, now: now() }) : refuseClaimOfUser(record, now());
      const job = await waitingJob(db, ending.jobId);
      check(job);
      const wanted = await wantedOf(context, job);
      const given = (await readDraft(db, job.id))?.speaker_names;
      const speakerNames = namesForText(contents, { given, offered: wanted.input.human?.speakerNames });
      const known = { speakerNames, seconds: wanted.draft.seconds };
      const { transcript: work, revision } = readWork(contents, known);
      await requireRevision(db, job.id, revision);
      await endWith(context, ending, { job, wanted, work, revision, check, user });
    },
  };
}

interface FinishedWork {
  readonly job: JobRecord;
  readonly wanted: Wanted;
  readonly work: Transcript;
  /** The job ends only while this revision of its draft is the latest. Default: with any. */
  readonly revision?: number;
  /** Throws a ProblemError unless the job may end now. */
  readonly check: (job: JobRecord) => void;
  /** The person of the event in the trail. Default: there is no event. */
  readonly user?: DeskUser;
}

/** Times the words of a transcript, and ends the job with it if it still may. */
async function endWith(
  { opened, jobs, timeWords, clock }: DeskContext & { readonly timeWords: TimeWords },
  ending: Ending,
  { job, wanted, work, revision, check, user }: FinishedWork,
): Promise<void> {
  if (!hasWords(work)) throw withoutWords();
  const known = withMachineTimes(work, wanted.draft, wanted.input);
  const timed = await timeWords(known, job, fraction => (ending.progress = fraction));
  const finished = finishHuman(timed, wanted.draft, wanted.input);
  const results = { transcript: JSON.stringify(encodeTranscript(finished)) };
  const userName = user && claimantOf({ claimedBy: user.name });
  const action = userName === user?.name ? 'finish' : 'import';
  const { id: jobId, accountId } = job;
  const { words, changedWords } = correctionsIn(work, wanted.draft, wanted.input);
  const event = { jobId, accountId, seconds: wantedSeconds(job), words, changedWords };
  let refusal: unknown = conflict('ended');
  const isAllowed: AllowEnd = async (trx, record) => {
    try {
      check(record);
      await requireRevision(trx, job.id, revision);
      // In the transaction that ends the job, so that its work counts once.
      const happenedOn = new Date(clock.wallTime());
      if (userName) await addEvent(trx, { ...event, userName, action, happenedOn });
      return true;
    } catch (error) {
      refusal = error;
      return false;
    }
  };
  const options = { isAllowed, workId: ending.workId };
  const isEnded = await jobs.human.finish(job.id, { status: 'done' }, results, options);
  // Another process may have done the same work.
  if (!isEnded && !(await hasEnded(await opened, ending))) throw refusal;
}

/**
 * Creates a function that begins work that ends a job, by `finish` or `finishWith`. The same work, repeated after a lost
 * answer or a restart, joins the running work, or finds that the job has been ended by it.
 */
function createEndings({ opened, onError }: DeskContext) {
  const endings = new Map<string, Ending>();
  /** @param key distinguishes the work from other work on the job */
  return (jobId: string, key: readonly unknown[], work: (ending: Ending) => Promise<void>): Ending => {
    const workId = createHash('sha256')
      .update(JSON.stringify([jobId, ...key]))
      .digest('hex')
      .slice(0, 32);
    const begun = endings.get(workId);
    if (begun) return begun;
    const run = async () => {
      if (!(await hasEnded(await opened, ending))) await work(ending);
    };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const ending: Ending = { workId, jobId, ended, isSettled: false, progress: 0 };
    endings.set(workId, ending);
    const [oldest = workId] = endings.keys();
    if (endings.size > MAX_ENDINGS) endings.delete(oldest);
    resolve(run().finally(() => (ending.isSettled = true)));
    ended.catch(error => {
      // The same work may be tried again.
      endings.delete(workId);
      if (!(error instanceof ProblemError)) onError(error);
    });
    return ending;
  };
}

/** Returns whether this work has ended its job. */
async function hasEnded({ db }: OpenStore, { jobId, workId }: Ending): Promise<boolean> {
  const query = db
    .selectFrom('jobs')
    .select('resultsId')
    .where('id', '=', jobId)
    .where('status', '=', 'done');
  return (await query.executeTakeFirst())?.resultsId?.startsWith(workId) ?? false;
}

function hasWords({ monologues }: Transcript): boolean {
  return monologues.some(({ elements }) => elements.some(({ type }) => type !== 'punct'));
}

/** @throws ProblemError when the latest revision of a draft is another one */
async function requireRevision(db: OpenStore['db'], jobId: string, revision?: number): Promise<void> {
  if (revision === undefined) return;
  const draft = db.selectFrom('deskDrafts').select('revision').where('jobId', '=', jobId);
  const row = await draft.executeTakeFirst();
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
