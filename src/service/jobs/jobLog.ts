import type { FastifyBaseLogger } from 'fastify';
import type { JobRecord } from '../store/jobRecord.ts';

/** The log of jobs. */
export type JobLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** A log that keeps nothing. */
export const noJobLog: JobLog = { info() {}, warn() {} };

/** Returns the fields by which the lines about a job are found. */
export function jobFields({ id, accountId, type, requestId }: JobRecord) {
  return { job: id, type, account: accountId, ...(requestId !== undefined && { request: requestId }) };
}
