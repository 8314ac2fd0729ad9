import type { DeskChange, DeskDraftJson, DeskTurn } from '../../protocol/desk.ts';
import { decodeTranscript, encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { type Draft, finishHuman, withMachineTimes } from '../tasks/human/finishHuman.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import { claimedJob, conflict, type DeskContext, segmentsOf, waitingJob } from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';
import { readDraft, saveDraft } from './drafts.ts';
import { readWork, withoutWords } from './readWork.ts';
import { transcriptOf, turnsOf } from './turns.ts';

/** The texts of jobs that people have claimed. All calls throw a ProblemError unless the user has claimed the job. */
export interface DeskTexts {
  /** Returns the latest draft, or the text of the machine when nothing has been saved. */
  read(user: DeskUser, id: string): Promise<DeskDraftJson>;
  /** Returns the text of the machine. */
  machine(user: DeskUser, id: string): Promise<DeskDraftJson>;
  /** Saves a change, and returns the new revision. @throws ProblemError when another revision is the latest */
  save(user: DeskUser, id: string, change: DeskChange): Promise<number>;
  /** Ends a job with its draft. @throws ProblemError when another revision is the latest, or it has no words */
  finish(user: DeskUser, id: string, revision: number): Promise<void>;
  /**
   * Ends a job with work that is not in the draft, as {@link readWork} reads it.
   *
   * @param user default: an operator, who needs no claim
   * @throws ProblemError when it cannot be read, or names a revision of the draft that is not the latest
   */
  finishWith(id: string, contents: string, user?: DeskUser): Promise<void>;
}

/** Returns the transcript with times for words that have none. */
export type TimeWords = (transcript: Transcript, job: JobRecord) => Promise<Transcript>;

export function createDeskTexts(
  context: DeskContext,
  { timeWords }: { readonly timeWords: TimeWords },
): DeskTexts {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const claimed = async (user: DeskUser, id: string) =>
    claimedJob((await opened).db, { id, user, now: now() });
  const machineTurns = async (job: JobRecord): Promise<readonly DeskTurn[]> =>
    turnsOf(await machineTranscript(context, job), segmentsOf(job));

  return {
    async read(user, id) {
      const job = await claimed(user, id);
      const draft = await readDraft((await opened).db, id);
      return draft ?? { revision: 0, turns: await machineTurns(job) };
    },

    async machine(user, id) {
      return { revision: 0, turns: await machineTurns(await claimed(user, id)) };
    },

    async save(user, id, change) {
      const { db } = await opened;
      // Read before the transaction, which must not wait for an object server.
      const machine = change.revision === 0 ? await machineTurns(await claimed(user, id)) : undefined;
      return db.transaction().execute(async trx => {
        await claimedJob(trx, { id, user, now: now() });
        const revision = await saveDraft(trx, id, change, { machine, now: now() });
        if (revision === undefined) throw conflict('revision');
        return revision;
      });
    },

    async finish(user, id, revision) {
      const job = await claimed(user, id);
      const draft = await readDraft((await opened).db, id);
      if ((draft?.revision ?? 0) !== revision) throw conflict('revision');
      const wanted = await wantedOf(context, job);
      const work = transcriptOf(draft?.turns ?? turnsOf(wanted.draft.transcript, segmentsOf(job)));
      if (work.monologues.length === 0) throw withoutWords();
      const timed = await timeWords(work, job);
      // The words may have taken a while to be timed.
      await claimed(user, id);
      await endJob(context, timed, wanted);
    },

    async finishWith(id, contents, user) {
      const { db } = await opened;
      const check = () => (user ? claimed(user, id) : waitingJob(db, id));
      const job = await check();
      const wanted = await wantedOf(context, job);
      const { transcript, revision } = readWork(contents, wanted.input.human?.speakerNames);
      const draft = revision === undefined ? undefined : await readDraft(db, id);
      if (revision !== undefined && revision !== (draft?.revision ?? 0)) throw conflict('revision');
      // Text has no times at all, and long parts without any are not aligned.
      const work = withMachineTimes(transcript, wanted.draft, wanted.input);
      const timed = await timeWords(work, job);
      await check();
      await endJob(context, timed, wanted);
    },
  };
}

/** The parts of a job that a person's work is merged with. */
interface Wanted {
  readonly id: string;
  readonly draft: Draft;
  readonly input: TranscriptionInput;
}

async function wantedOf(context: DeskContext, job: JobRecord): Promise<Wanted> {
  const transcript = await machineTranscript(context, job);
  const found = await context.jobs.human.find(job.id);
  if (found?.input === undefined) throw conflict('ended');
  const draft = { transcript, seconds: job.durationSeconds ?? 0 };
  return { id: job.id, draft, input: found.input as TranscriptionInput };
}

async function machineTranscript({ jobs }: DeskContext, { id }: JobRecord): Promise<Transcript> {
  const json = await jobs.result(id, 'transcript');
  if (json === undefined) throw conflict('ended');
  return decodeTranscript(JSON.parse(json));
}

async function endJob({ jobs }: DeskContext, work: Transcript, { id, draft, input }: Wanted): Promise<void> {
  const finished = finishHuman(work, draft, input);
  const results = { transcript: JSON.stringify(encodeTranscript(finished)) };
  if (!(await jobs.human.finish(id, { status: 'done' }, results))) throw conflict('ended');
}
