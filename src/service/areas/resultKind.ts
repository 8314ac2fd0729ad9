import type { TObject, TSchema } from 'typebox';
import type { BrandNames } from '../../protocol/brand.ts';
import type { JobRecord } from '../jobs/record.ts';
import type { ProblemCode } from '../problems.ts';

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
