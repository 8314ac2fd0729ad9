import type { WaitingJobJson } from '../../protocol/admin.ts';
import { readTextFile } from '../files/textFile.ts';
import type { AdminOptions } from '../flags/adminOptions.ts';
import { type Column, printRecords } from '../print/records.ts';
import { adminCall } from '../service/adminCall.ts';

const WAITING_COLUMNS: readonly Column<WaitingJobJson>[] = [
  ['id', ({ id }) => id],
  ['account', job => job.account_id],
  ['created', job => job.created_on],
  ['rush', ({ rush }) => (rush ? 'yes' : '')],
  ['seconds', job => job.duration_seconds],
  ['name', ({ name }) => name],
  ['claimed by', job => job.claimed_by],
  ['until', job => job.claimed_until],
];

export async function listWaiting(options: AdminOptions): Promise<void> {
  const jobs = await adminCall<readonly WaitingJobJson[]>(options, {
    action: 'list waiting jobs',
    method: 'GET',
    path: ['human-jobs'],
    query: { limit: 1000 },
  });
  printRecords(jobs, WAITING_COLUMNS, options);
}

export interface ClaimOptions extends AdminOptions {
  readonly worker: string;
  readonly seconds: number;
  readonly release?: boolean;
}

export async function claimJob(
  id: string,
  { worker, seconds, release, ...options }: ClaimOptions,
): Promise<void> {
  if (release) {
    const path = ['human-jobs', id, 'release'];
    await adminCall(options, { action: 'release job', method: 'POST', path, body: { worker } });
    return;
  }
  const job = await adminCall<WaitingJobJson>(options, {
    action: 'claim job',
    method: 'POST',
    path: ['human-jobs', id, 'claim'],
    body: { worker, seconds },
  });
  printRecords([job], WAITING_COLUMNS, options);
}

/** @param file `-` for standard input */
export async function finishJob(id: string, file: string, options: AdminOptions): Promise<void> {
  const body = await readTextFile(file);
  const path = ['human-jobs', id, 'finish'];
  await adminCall(options, { action: 'finish job', method: 'POST', path, body });
}
