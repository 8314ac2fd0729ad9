import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';

/** The log of jobs. */
export type JobLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** A log that keeps nothing. */
export const noJobLog: JobLog = { info() {}, warn() {} };

/** Returns the fields by which the lines about a job are found. */
export function jobFields({ id, accountId, type, requestId }: JobRecord) {
  return { job: id, type, account: accountId, ...(requestId !== undefined && { request: requestId }) };
}

/** Dependencies of the work on the jobs of an open store. */
export interface WorkContext {
  readonly store: OpenStore;
  readonly clock: Clock;
  /** Called when work failed by a fault of the service, or waits for the store, with the fields of the job for the log. */
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
  readonly instruments: Instruments;
  readonly log: JobLog;
}
