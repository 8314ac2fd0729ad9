import type { Static, TObject } from 'typebox';
import type { NewJob } from '../jobs/jobs.ts';
import type { HttpLimits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import type { Fault } from './faults.ts';

/** What the rules between fields know beside the fields. */
export interface SubmissionContext {
  /** The media came with the submission. */
  readonly isUpload: boolean;
  /** That the engine of the area knows; absent where there is none. */
  readonly languages?: readonly string[];
}

/** A rule that a schema cannot say. */
export interface Rule<Submission = never> {
  /** It is not asked while one of these is of the wrong form. */
  readonly fields: readonly (keyof Submission & string)[];
  /** The faults that there are. */
  check(submission: Submission, context: SubmissionContext): Iterable<Fault>;
}

/** What an area makes of a submission, beside what is the same in every area. */
export interface JobRequest extends Pick<NewJob, 'type' | 'language' | 'isUrgent' | 'isPermanent'> {
  /** What the task needs; one of `tasks/inputs.ts`. */
  readonly input: unknown;
}

/** The submissions of an area. */
export interface SubmissionKind<Schema extends TObject = TObject> {
  readonly schema: Schema;
  /** One that is accepted, for the reference. */
  readonly example: Static<Schema>;
  readonly rules: readonly Rule<Static<Schema>>[];
  /** Media may come with it, as multipart. */
  readonly takesMedia: boolean;
  /** The jobs cost nothing. Default false. */
  readonly isFree?: boolean;
  /** There may be a whole transcript in it. Default false. */
  readonly isLong?: boolean;
  /** It may name a vocabulary by its id. Default false. */
  readonly namesVocabulary?: boolean;
  toJob(submission: Static<Schema>): JobRequest;
}

/** A kind of submission among others: whoever has one of these has read the submission with its schema. */
export function submissionKind<Schema extends TObject>(kind: SubmissionKind<Schema>): SubmissionKind {
  return kind as unknown as SubmissionKind;
}

/** Bytes of JSON that an area takes at most. */
export function mostBytes(
  { schema, isLong }: SubmissionKind,
  { bodyBytes, longBodyBytes, vocabularyBodyBytes }: HttpLimits,
): number {
  if ('custom_vocabularies' in schema.properties) return vocabularyBodyBytes;
  return isLong ? longBodyBytes : bodyBytes;
}

/** @throws ProblemError `payloadTooLarge` for JSON that is as long as vocabularies may be, and has none */
export function refuseLong(
  { isLong }: SubmissionKind,
  limits: HttpLimits,
  { json, bytes = 0 }: { readonly json: unknown; readonly bytes?: number },
): void {
  if (isLong || bytes <= limits.bodyBytes) return;
  const { custom_vocabularies: vocabularies } = (json ?? {}) as { custom_vocabularies?: unknown };
  if (!Array.isArray(vocabularies)) throw new ProblemError('payloadTooLarge');
}
