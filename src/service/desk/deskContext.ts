import type { Clock } from '../../base/clock.ts';
import type { Aligner } from '../../engines/aligner.ts';
import type { DeskConflict } from '../../protocol/desk.ts';
import { decodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { ProblemError } from '../problems.ts';
import { fromRow, type JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { type Segment, segmentsWithin } from '../tasks/inputs.ts';
import type { DeskUser } from './deskUsers.ts';
import type { PasswordCost } from './passwords.ts';

/** Dependencies of the desk. */
export interface DeskContext {
  /** Resolves when the store is open. */
  readonly opened: Promise<OpenStore>;
  readonly jobs: Jobs;
  /** Default: words without times get those of the words around them. */
  readonly aligner?: Aligner;
  readonly clock: Clock;
  /** Cost of the hash of a new password. */
  readonly passwordCost: PasswordCost;
  /** Called with errors that users do not see. */
  readonly onError: (error: unknown) => void;
}

const CONFLICT_DETAILS: Readonly<Record<DeskConflict, string>> = {
  ended: 'The job is not waiting for a person.',
  claimed: 'Another person has claimed the job.',
  lapsed: 'The claim has lapsed.',
  revision: 'Another window or another person has saved a later version.',
};

export function conflict(reason: DeskConflict): ProblemError {
  return new ProblemError('invalidJobState', { detail: CONFLICT_DETAILS[reason], current_value: reason });
}

/**
 * Returns a job that waits for a person.
 *
 * @param db the database, or a transaction, in which the job then keeps its state
 * @throws ProblemError when there is no such human job, or it does not wait
 */
export async function waitingJob(db: OpenStore['db'], id: string): Promise<JobRecord> {
  const query = db.selectFrom('jobs').selectAll().where('id', '=', id).where('type', '=', 'human_tc');
  const row = await (db.isTransaction ? query.forShare() : query).executeTakeFirst();
  if (!row) throw new ProblemError('jobNotFound');
  if (row.stage !== 'waiting') throw conflict('ended');
  return fromRow(row);
}

/**
 * Returns a job that a user has claimed.
 *
 * @param db as for {@link waitingJob}
 * @throws ProblemError as for {@link waitingJob}, and when the claim has lapsed, or another person has claimed the job
 */
export async function claimedJob(
  db: OpenStore['db'],
  { id, user, now }: { readonly id: string; readonly user: DeskUser; readonly now: Date },
): Promise<JobRecord> {
  const job = await waitingJob(db, id);
  requireClaim(job, { user, now });
  return job;
}

/** Returns a job that a user has claimed now. @throws ProblemError as for {@link claimedJob} */
export async function claimedNow(
  { opened, clock }: DeskContext,
  user: DeskUser,
  id: string,
): Promise<JobRecord> {
  return claimedJob((await opened).db, { id, user, now: new Date(clock.wallTime()) });
}

/** @throws ProblemError unless the user has claimed the job */
export function requireClaim(
  job: JobRecord,
  { user, now }: { readonly user: DeskUser; readonly now: Date },
): void {
  if (!isClaimed(job, now)) throw conflict('lapsed');
  if (job.claimedBy !== user.name) throw conflict('claimed');
}

/** Prefix of the names of people who work elsewhere than at the desk. No user of the desk has such a name. */
const WORKER = 'worker ';

/** Returns the name under which a person who works elsewhere claims jobs. */
export const workerName = (name: string) => WORKER + name;

/** Returns the given name of the person who has claimed a job. */
export const claimantOf = ({ claimedBy }: Pick<JobRecord, 'claimedBy'>) =>
  claimedBy?.startsWith(WORKER) ? claimedBy.slice(WORKER.length) : claimedBy;

/** @throws ProblemError when a user of the desk has claimed the job */
export function refuseClaimOfUser(job: JobRecord, now: Date): void {
  if (isClaimed(job, now) && !job.claimedBy?.startsWith(WORKER)) throw conflict('claimed');
}

/** Returns whether somebody has claimed a job. */
export function isClaimed({ claimedBy, leaseUntil }: JobRecord, now: Date): boolean {
  return claimedBy !== undefined && leaseUntil !== undefined && leaseUntil > now;
}

/** @throws ProblemError when the job has ended */
export async function machineTranscript({ jobs }: DeskContext, { id }: JobRecord): Promise<Transcript> {
  const json = await jobs.result(id, 'transcript');
  if (json === undefined) throw conflict('ended');
  return decodeTranscript(JSON.parse(json));
}

/** Returns the seconds of a job to be transcribed. */
export const wantedSeconds = (job: JobRecord) =>
  segmentsOf(job).reduce((sum, { start, end }) => sum + end - start, 0);

/** Returns the parts of a job to be transcribed, in order; at least one. */
export function segmentsOf({ options, durationSeconds = 0 }: JobRecord): readonly Segment[] {
  const given = options?.segments_to_transcribe as readonly Record<'start' | 'end', unknown>[] | undefined;
  const segments = given?.map(({ start, end }) => ({ start: Number(start), end: Number(end) }));
  return segmentsWithin(durationSeconds, segments);
}
