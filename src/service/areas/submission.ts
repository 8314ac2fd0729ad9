import type { Static, TObject } from 'typebox';
import type { NewJob } from '../jobs/jobs.ts';
import type { HttpLimits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import type { Fault } from './faults.ts';

/** The languages of an engine. */
export interface EngineLanguages {
  readonly known: readonly string[];
  /** Language of submissions without one. Default: the engine finds it. */
  readonly byDefault: string | undefined;
  /** Options by which an operator can add others. Default: none can be added. */
  readonly more?: string;
}

/** Facts that rules use besides the fields of a submission. */
export interface SubmissionContext {
  /** True when the media was uploaded with the submission. */
  readonly isUpload: boolean;
  /** Languages supported by the engine of the area; absent without an engine. */
  readonly languages?: EngineLanguages;
  /** True when the service may connect to private addresses. */
  readonly allowPrivateAddresses: boolean;
}

/** A rule about fields that a schema cannot express. */
export interface Rule<Submission = never> {
  /** The rule is skipped while the schema finds a fault in one of these. */
  readonly fields: readonly (keyof Submission & string)[];
  /** Returns the faults, if any. An undefined item lets other work run; one is returned every few milliseconds of work. */
  check(submission: Submission, context: SubmissionContext): Iterable<Fault | undefined>;
}

/** The part of a job that depends on the area of its submission. */
export interface JobRequest extends Pick<NewJob, 'type' | 'language' | 'isUrgent' | 'isPermanent'> {
  /** Input of the task; one of the types of `tasks/inputs.ts`. */
  readonly input: unknown;
  /** True when the job uses no credit. Default: by its kind. */
  readonly isFree?: boolean;
}

/** The submissions of an area: their schema, rules and limits. */
export interface SubmissionKind<Schema extends TObject = TObject> {
  readonly schema: Schema;
  /** A valid submission, for the API reference. */
  readonly example: Static<Schema>;
  readonly rules: readonly Rule<Static<Schema>>[];
  /** True when media may be uploaded with it as multipart. */
  readonly takesMedia: boolean;
  /** True when jobs use no credit. Default false. */
  readonly isFree?: boolean;
  /** True when it may contain a whole transcript. Default false. */
  readonly isLong?: boolean;
  /** True when it may refer to a vocabulary by its id. Default false. */
  readonly namesVocabulary?: boolean;
  /** Returns the names of fields that have no effect on such a job. Default: none. */
  ineffective?(submission: Static<Schema>): readonly string[];
  /** Returns the job of a submission, which has the default language if it has none. */
  toJob(submission: Static<Schema>): JobRequest;
}

/** Returns a kind without the type of its submissions: every submission has been checked with its schema. */
export function submissionKind<Schema extends TObject>(kind: SubmissionKind<Schema>): SubmissionKind {
  return kind as unknown as SubmissionKind;
}

/** Returns the maximum bytes of JSON for a kind of submission. */
export function maxJsonBytes(
  { schema, isLong }: SubmissionKind,
  { bodyBytes, longBodyBytes, vocabularyBodyBytes }: HttpLimits,
): number {
  if ('custom_vocabularies' in schema.properties) return vocabularyBodyBytes;
  return isLong ? longBodyBytes : bodyBytes;
}

/** @throws ProblemError `payloadTooLarge` for JSON without vocabularies that is longer than {@link HttpLimits.bodyBytes} */
export function refuseLongJson(
  { isLong }: SubmissionKind,
  limits: HttpLimits,
  { json, bytes = 0 }: { readonly json: unknown; readonly bytes?: number },
): void {
  if (isLong || bytes <= limits.bodyBytes) return;
  const { custom_vocabularies: vocabularies } = (json ?? {}) as { custom_vocabularies?: unknown };
  if (!Array.isArray(vocabularies)) throw new ProblemError('payloadTooLarge');
}
