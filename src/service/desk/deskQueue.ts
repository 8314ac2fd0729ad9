import type { DeskJobJson, DeskOpenJobJson } from '../../protocol/desk.ts';
import { DESK_LIMITS, HUMAN_LIMITS, LIST_LIMIT } from '../../protocol/limits.ts';
import type { SpeechToTextSubmission } from '../../protocol/submissions.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import { vocabularyPhrases } from '../vocabularies.ts';
import {
  claimantOf,
  claimedNow,
  conflict,
  type DeskContext,
  isClaimed,
  segmentsOf,
  waitingJob,
  wantedSeconds,
} from './deskContext.ts';
import { addEvent } from './deskTrail.ts';
import type { DeskUser } from './deskUsers.ts';

const HOUR_MS = 3_600_000;

/** Creates the queue of the desk: jobs of all accounts that wait for a person. */
export function createDeskQueue(context: DeskContext) {
  const { opened, jobs, clock } = context;
  const now = () => new Date(clock.wallTime());
  const database = async () => (await opened).db;

  async function viewOf(record: JobRecord): Promise<DeskJobJson> {
    return jobView(record, await begunAmong(await database(), [record.id]), now());
  }

  return {
    /** Returns urgent jobs first, then by age. */
    async list(): Promise<readonly DeskJobJson[]> {
      const waiting = await jobs.human.waiting({ limit: LIST_LIMIT.max });
      const ids = waiting.map(({ id }) => id);
      const db = await database();
      const begun = await begunAmong(db, ids);
      const names = await customersIn(db);
      return waiting.map(job => ({ ...jobView(job, begun, now()), customer: names.get(job.accountId) }));
    },

    /**
     * Claims a job, or extends the claim of the user.
     *
     * @throws ProblemError when the job does not wait, or another person has claimed it
     */
    async claim({ name }: DeskUser, id: string) {
      const before = await waitingJob(await database(), id);
      const isHeld = isClaimed(before, now());
      const claimed = await jobs.human.claim(id, name, DESK_LIMITS.leaseSeconds);
      if (!claimed) throw conflict('claimed');
      if (!isHeld) await addLapse(await database(), before);
      return { job: await viewOf(claimed), isNew: before.claimedBy !== name || !isHeld };
    },

    /**
     * Ends the claim of the user; for an admin, of anybody.
     *
     * @returns whose claim it was; undefined when there was none to end
     * @throws ProblemError when the job does not wait
     */
    async release({ name, role }: DeskUser, id: string): Promise<'own' | 'other' | undefined> {
      const { claimedBy = name } = await waitingJob(await database(), id);
      const person = role === 'admin' ? claimedBy : name;
      if (!(await jobs.human.release(id, person))) return undefined;
      return person === name ? 'own' : 'other';
    },

    /** Returns a job with the wishes of its customer. @throws ProblemError unless the user has claimed it */
    async open(user: DeskUser, id: string): Promise<DeskOpenJobJson> {
      const record = await claimedNow(context, user, id);
      const found = await jobs.human.find(id);
      if (found?.input === undefined) throw conflict('ended');
      const input = found.input as TranscriptionInput;
      const { phrases = [], vocabularyId } = input;
      const named =
        vocabularyId === undefined ? phrases : await vocabularyPhrases(jobs, record.accountId, vocabularyId);
      return {
        job: await viewOf(record),
        verbatim: input.human?.verbatim ?? false,
        filter_profanity: input.filterProfanity ?? false,
        remove_disfluencies: input.removeDisfluencies ?? false,
        skip_punctuation: input.skipPunctuation ?? false,
        skip_diarization: input.skipDiarization ?? false,
        speakers_count: input.speakersCount,
        speaker_names: input.human?.speakerNames ?? [],
        phrases: (named ?? []).slice(0, HUMAN_LIMITS.terms),
        segments: segmentsOf(record),
      };
    },
  };
}

async function begunAmong(db: OpenStore['db'], ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const drafts = db.selectFrom('deskDrafts').select('jobId').where('jobId', 'in', ids);
  return new Set((await drafts.where('revision', '>', 0).execute()).map(({ jobId }) => jobId));
}

/** Returns the names of the customers with jobs in the queue, by the ids of their accounts. */
async function customersIn(db: OpenStore['db']): Promise<ReadonlyMap<string, string>> {
  const waiting = db.selectFrom('jobs').select('accountId').where('stage', '=', 'waiting');
  const rows = await db.selectFrom('accounts').select(['id', 'email']).where('id', 'in', waiting).execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Records the end of a lapsed claim. Called when the job is claimed anew, as a lapsed claim can be extended until then. */
async function addLapse(db: OpenStore['db'], job: JobRecord): Promise<void> {
  const { id: jobId, claimedBy: userName, leaseUntil: happenedOn } = job;
  if (!userName || !happenedOn || claimantOf(job) !== userName) return;
  await addEvent(db, { happenedOn, userName, action: 'lapse', jobId });
}

function jobView(record: JobRecord, begun: ReadonlySet<string>, now: Date): DeskJobJson {
  const isTaken = isClaimed(record, now);
  const given: Partial<SpeechToTextSubmission> = record.options ?? {};
  return {
    id: record.id,
    created_on: record.createdOn.toISOString(),
    rush: record.isUrgent ?? false,
    name: record.name,
    metadata: record.metadata,
    speakers_count: given.speakers_count ?? given.speaker_names?.length ?? given.speaker_channels_count,
    language: record.language ?? 'en',
    duration_seconds: record.durationSeconds ?? 0,
    wanted_seconds: wantedSeconds(record),
    ...turnaround(record),
    claimed_by: isTaken ? claimantOf(record) : undefined,
    claimed_until: isTaken ? record.leaseUntil?.toISOString() : undefined,
    lapsed_claim_of: isTaken ? undefined : claimantOf(record),
    is_begun: begun.has(record.id),
  };
}

/** Returns the times between which the transcript of a job is expected. */
export function turnaround({ createdOn, isUrgent }: JobRecord): Pick<DeskJobJson, 'due_from' | 'due_until'> {
  const { least, most } = HUMAN_LIMITS.turnaroundHours;
  const after = (hours: number) => new Date(createdOn.getTime() + hours * HOUR_MS).toISOString();
  return { due_from: after(isUrgent ? 0 : least), due_until: after(isUrgent ? least : most) };
}
