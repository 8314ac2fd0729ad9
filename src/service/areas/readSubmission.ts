import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { languageOf } from '../../protocol/language.ts';
import { withNamedHeaders } from './addressRules.ts';
import { type Fault, faultsOf, refuse } from './faults.ts';
import { lenient } from './lenient.ts';
import type { Rule, SubmissionContext, SubmissionKind } from './submission.ts';

/** Compiled when they are needed first: it takes milliseconds each. */
const validators = new WeakMap<TObject, Validator>();

/** The faults of a value by its schema. */
export function schemaFaults(schema: TObject, value: unknown): readonly Fault[] {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value) ? [] : faultsOf(validator.Errors(value));
}

export interface ReadSubmissionOptions extends SubmissionContext {
  /** What the whole is called in a fault: `request`, or the part of a form that it is. */
  readonly name: string;
  /** Those that are known already. */
  readonly faults: readonly Fault[];
}

/**
 * Reads a submission.
 *
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export function readSubmission(
  { schema, rules }: SubmissionKind,
  json: unknown,
  { name, faults, ...context }: ReadSubmissionOptions,
): Record<string, unknown> {
  if (typeof (json ?? {}) !== 'object' || Array.isArray(json)) {
    refuse([...faults, [name, 'must be a JSON object']]);
  }
  const submission = lenient(schema, withNamedHeaders(json ?? {})) as Record<string, unknown>;
  if (typeof submission.language === 'string') submission.language = languageOf(submission.language);
  const formal = schemaFaults(schema, submission);
  const malformed = new Set(formal.map(([name]) => /^[^.[]*/.exec(name)![0]));
  const broken = (rules as readonly Rule<Record<string, unknown>>[])
    .filter(({ fields }) => !fields.some(field => malformed.has(field)))
    .flatMap(rule => [...rule.check(submission, context)]);
  refuse([...faults, ...formal, ...broken]);
  return submission;
}
