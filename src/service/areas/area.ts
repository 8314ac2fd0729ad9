import type { TSchema } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { BrandNames } from '../../protocol/brand.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobRecord } from '../jobs/record.ts';
import type { HttpLimits } from '../limits.ts';
import type { ProblemCode } from '../problems.ts';
import type { AreaName, Region } from '../region.ts';
import type { UploadSlots } from '../uploads/uploadSlots.ts';
import type { AreaLanguages } from './languageRule.ts';
import type { ResultKind } from './resultKind.ts';
import type { SubmissionKind } from './submission.ts';

/** A part of the interface: what it takes, what it shows and how. One mechanism makes the routes of all. */
export interface Area {
  readonly name: AreaName;
  /** What the reference calls it. */
  readonly title: string;
  readonly noun: { readonly one: string; readonly many: string };
  /** The types of job that it shows. */
  readonly types: readonly string[];
  /** Days that its list looks back. Default: to the beginning. */
  readonly listWindowDays?: number;
  /** What its jobs call their state when they ended well. */
  readonly doneWord: string;
  /** Begins the ids of what is submitted here. Default: nothing. */
  readonly idPrefix?: string;
  readonly submission: SubmissionKind;
  /** What {@link view} gives. */
  readonly viewSchema: TSchema;
  /** A job as clients of this area see it. */
  view(record: JobRecord): object;
  /** What can be had of a job that is done, each at a path below the job's. */
  readonly results: readonly ResultKind[];
  /** There is none of an id. */
  readonly notFound: ProblemCode;
}

export const JOB_NOUN = { one: 'job', many: 'jobs' } as const;

/** What the routes of every area stand on. */
export interface AreaContext {
  readonly jobs: Jobs;
  openUpload(): Promise<string>;
  readonly languages: AreaLanguages;
  readonly names: BrandNames;
  readonly region: Region;
  readonly uploads: UploadSlots;
  readonly limits: HttpLimits;
  readonly clock: Clock;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The account whose token the request carries; empty before that is known, and on routes for everybody. */
    accountId: string;
  }
}
