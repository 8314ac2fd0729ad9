import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { resultsPrefix } from './jobObjects.ts';

/** Result texts by name. */
export type Results = Readonly<Record<string, string>>;

/** Results of one run of a job, or of a person. */
export interface NewResults extends Pick<JobRecord, 'id' | 'resultsId'> {
  readonly results: Results;
  /** True when a person needs them to finish the job. Default false. */
  readonly isDraft?: boolean;
}

const COLUMNS = ['status', 'retentionSeconds', 'resultsId'] as const;

/**
 * Stores results, then records them with their job. A transaction that waited for an object server would keep its lock and
 * connection, so the results come first. Two processes may run a job if one of them seemed to be gone: each has its own folder,
 * and readers use the folder of the transaction that found the job in progress.
 *
 * The first run has the only folder that earlier releases read: during a rolling upgrade, they lack only the results of jobs
 * that were run again or finished by a person.
 *
 * @param record the transaction; undefined when the job was not in progress, whose results are then removed
 */
export async function recordResults<T>(
  store: OpenStore,
  found: NewResults,
  record: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const isEmpty = Object.keys(found.results).length === 0;
  if (!isEmpty) await putResults(store, found);
  const recorded = await record();
  if (recorded === undefined && !isEmpty) await removeUnused(store, found);
  return recorded;
}

async function putResults(
  { db, objects }: OpenStore,
  { id, resultsId, results, isDraft = false }: NewResults,
): Promise<void> {
  const job = await db.selectFrom('jobs').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  if (job?.status !== 'in_progress' || (job.retentionSeconds === 0 && !isDraft)) return;
  const prefix = resultsPrefix(id, resultsId);
  for (const [name, contents] of Object.entries(results)) await objects.put(`${prefix}/${name}`, contents);
}

/** Removes results, unless they are those of the job: the answer to an earlier transaction may have been lost. */
async function removeUnused({ db, objects }: OpenStore, { id, resultsId }: NewResults): Promise<void> {
  const job = await db.selectFrom('jobs').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  const isUsed = job && job.status !== 'failed' && job.resultsId === (resultsId ?? null);
  if (!isUsed) await objects.removeAll(resultsPrefix(id, resultsId));
}

/** Reads a result of a job; resolves with undefined when there is none of this name. */
export async function readResult(
  { db, objects }: OpenStore,
  id: string,
  name: string,
): Promise<string | undefined> {
  const job = await db.selectFrom('jobs').select('resultsId').where('id', '=', id).executeTakeFirst();
  return job && objects.get(`${resultsPrefix(id, job.resultsId)}/${name}`);
}
