import type { DeskChange, DeskDraftJson, DeskTurn } from '../../protocol/desk.ts';
import { decodeTranscript, encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { ProblemError, parameterFaults } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { type Draft, finishHuman } from '../tasks/human/finishHuman.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import { claimedJob, conflict, type DeskContext, segmentsOf } from './deskContext.ts';
import type { DeskUser } from './deskUsers.ts';
import { readDraft, saveDraft } from './drafts.ts';
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
}

/** Returns the transcript with times for words that have none. */
export type TimeWords = (transcript: Transcript, job: JobRecord) => Promise<Transcript>;

export function createDeskTexts(
  { opened, jobs, clock }: DeskContext,
  options: { readonly timeWords: TimeWords },
): DeskTexts {
  const now = () => new Date(clock.wallTime());
  const claimed = async (user: DeskUser, id: string) =>
    claimedJob((await opened).db, { id, user, now: now() });

  async function machineTranscript({ id }: JobRecord): Promise<Transcript> {
    const json = await jobs.result(id, 'transcript');
    if (json === undefined) throw conflict('ended');
    return decodeTranscript(JSON.parse(json));
  }
  const machineTurns = async (job: JobRecord): Promise<readonly DeskTurn[]> =>
    turnsOf(await machineTranscript(job), segmentsOf(job));

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
      const machine = await machineTranscript(job);
      const found = await jobs.human.find(id);
      if (found?.input === undefined) throw conflict('ended');
      const written = transcriptOf(draft?.turns ?? turnsOf(machine, segmentsOf(job)));
      if (written.monologues.length === 0) throw withoutWords();
      const work = await options.timeWords(written, job);
      // The words may have taken a while to be timed.
      await claimed(user, id);
      await endJob(job, work, { transcript: machine, input: found.input as TranscriptionInput });
    },
  };

  async function endJob(
    { id, durationSeconds = 0 }: JobRecord,
    work: Transcript,
    { transcript, input }: Pick<Draft, 'transcript'> & { readonly input: TranscriptionInput },
  ): Promise<void> {
    const finished = finishHuman(work, { transcript, seconds: durationSeconds }, input);
    const results = { transcript: JSON.stringify(encodeTranscript(finished)) };
    if (!(await jobs.human.finish(id, { status: 'done' }, results))) throw conflict('ended');
  }
}

function withoutWords(): ProblemError {
  return new ProblemError(
    'invalidParameters',
    parameterFaults({ request: ['The transcript has no words.'] }),
  );
}
