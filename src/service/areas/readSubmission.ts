import { languageOf } from '../../protocol/language.ts';
import { withNamedHeaders } from './addressRules.ts';
import { type Fault, MAX_FAULTS, refuse } from './faults.ts';
import { lenient } from './lenient.ts';
import { schemaFaults } from './schemaFaults.ts';
import type { Rule, SubmissionContext, SubmissionKind } from './submission.ts';

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
  const submission = lenient(
    schema,
    withNamedHeaders((json ?? {}) as Record<string, unknown>, Object.keys(schema.properties)),
  ) as Record<string, unknown>;
  if (typeof submission.language === 'string') submission.language = languageOf(submission.language);
  const formal = schemaFaults(schema, submission);
  const malformed = new Set(formal.map(([name]) => /^[^.[]*/.exec(name)![0]));
  const broken = (rules as readonly Rule<Record<string, unknown>>[])
    .filter(({ fields }) => !fields.some(field => malformed.has(field)))
    .flatMap(rule => firstFaults(rule.check(submission, context)));
  refuse([...faults, ...formal, ...broken]);
  return submission;
}

/** Returns no more faults than a request is told of: a body may have a hundred thousand. */
function firstFaults(faults: Iterable<Fault>): readonly Fault[] {
  const first: Fault[] = [];
  for (const fault of faults) {
    if (first.push(fault) === MAX_FAULTS) break;
  }
  return first;
}
