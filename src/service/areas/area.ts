import type { TObject, TSchema } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { HttpLimits } from '../limits.ts';
import type { ProblemCode } from '../problems.ts';
import type { AreaName, Region } from '../region.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { UploadSlots } from '../uploads/uploadSlots.ts';
import type { AreaLanguages } from './languageRule.ts';
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

/** Something that can be had of a job that is done. */
export interface ResultKind {
  /** Last part of its path. */
  readonly path: string;
  /** The name under which the task left it. */
  readonly source: string;
  /** Media types that it has, the default first. */
  mediaTypes(names: BrandNames): readonly string[];
  /** A type has to be named: neither a wildcard nor a missing header will do. */
  readonly isStrict: boolean;
  /** For a header that names none of the types. */
  readonly unacceptable: ProblemCode;
  /** Of JSON. Default: there is none. */
  readonly schema?: TSchema;
  /** What can be wrong beside what can with every result. */
  readonly problems?: readonly ProblemCode[];
  /** What the query may say. Default: nothing. */
  readonly query?: TObject;
  /** The whole body. */
  render(source: string, request: ResultRequest): string;
}

/** What is asked for. */
export interface ResultRequest {
  readonly record: JobRecord;
  readonly mediaType: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** What a route does, for the reference: a route carries it as its configuration. */
export type Operation =
  | { readonly action: 'submit' | 'list' | 'get' | 'delete'; readonly area: Area }
  | { readonly action: 'result'; readonly area: Area; readonly kind: ResultKind }
  | { readonly action: 'account' | 'live' | 'ready' | 'stream' }
  /** It is no part of the interface. */
  | { readonly action: 'hidden' };

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}
