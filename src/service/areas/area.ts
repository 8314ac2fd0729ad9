import type { TObject, TSchema } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { JobSchema } from '../../protocol/jobs.ts';
import { LIST_WINDOW_DAYS } from '../../protocol/limits.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { HttpLimits } from '../limits.ts';
import type { ProblemCode } from '../problems.ts';
import type { UploadSlots } from '../rateLimits/tally.ts';
import type { AreaName, Region } from '../region.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { AreaLanguages } from './languageRule.ts';
import type { SubmissionKind } from './submission.ts';

/** A part of the interface: its submissions, views and results. The same routes serve all areas. */
export interface Area {
  readonly name: AreaName;
  /** Title in the API reference. */
  readonly title: string;
  readonly noun: { readonly one: string; readonly many: string };
  /** Job types of the area. */
  readonly types: readonly string[];
  /** Days covered by its list. Default: unlimited. */
  readonly listWindowDays?: number;
  /** The status of its successful jobs. */
  readonly doneStatus: string;
  /** Prefix of the ids of its jobs. Default: none. */
  readonly idPrefix?: string;
  readonly submission: SubmissionKind;
  /** Schema of the result of {@link view}. */
  readonly viewSchema: TSchema;
  /** Returns a job as shown to clients of this area, with its status in this area. */
  view(record: JobRecord, status: string): object;
  /** Results of a successful job, each at a path below that of the job. */
  readonly results: readonly ResultKind[];
  /** The problem of an unknown id. */
  readonly notFound: ProblemCode;
}

/** Fields common to the areas of v1, whose resources are jobs. */
export const JOB_AREA = {
  noun: { one: 'job', many: 'jobs' },
  listWindowDays: LIST_WINDOW_DAYS,
  viewSchema: JobSchema,
  notFound: 'jobNotFound',
} as const;

/** Dependencies of the routes of an area. */
export interface AreaContext {
  readonly jobs: Jobs;
  openUpload(): Promise<string>;
  readonly languages: AreaLanguages;
  readonly names: BrandNames;
  readonly region: Region;
  readonly allowPrivateAddresses: boolean;
  readonly uploads: UploadSlots;
  readonly limits: HttpLimits;
  readonly clock: Clock;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the request's token; empty until it is known, and on routes without a token. */
    accountId: string;
    /** Records that the job of the request was submitted, before the answer. Idempotent. */
    endSubmission: () => void;
  }
}

/** A result of a successful job. */
export interface ResultKind {
  /** Last part of its path. */
  readonly path: string;
  /** Name under which the task stored the result. Default: the path. */
  readonly source?: string;
  /** Returns its media types, the default first. */
  mediaTypes(names: BrandNames): readonly string[];
  /** True when `Accept` must name a type: neither a missing header nor a wildcard will do, but for {@link wildcard}. */
  readonly isStrict: boolean;
  /** Returns the media type that a strict result has for the wildcard of all types. Default: none. */
  wildcard?(names: BrandNames): string;
  /** The problem of an `Accept` header that names none of the types. */
  readonly unacceptable: ProblemCode;
  /** Schema of its JSON. Default: none. */
  readonly schema?: TSchema;
  /** Problems besides those of every result. */
  readonly problems?: readonly ProblemCode[];
  /** Parameters of its query. Default: none. */
  readonly query?: TObject;
  /** Returns the body. */
  render(source: string, request: ResultRequest): string;
}

/** A request for a result. */
export interface ResultRequest {
  readonly record: JobRecord;
  readonly mediaType: string;
  readonly query: Readonly<Record<string, unknown>>;
}
