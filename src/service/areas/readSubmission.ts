import { type Static, type TObject, Type } from 'typebox';
import { languageOf } from '../../protocol/language.ts';
import { withNamedHeaders } from './addressRules.ts';
import { type Fault, MAX_FAULTS, refuse, schemaFaults } from './faults.ts';
import { lenient } from './shape.ts';
import type { Rule, SubmissionContext, SubmissionKind } from './submission.ts';

export interface ReadSubmissionOptions extends SubmissionContext {
  /** Name of the whole in faults: `request`, or the part of a form that contains it. */
  readonly name: string;
  /** Faults found before. */
  readonly faults: readonly Fault[];
}

/**
 * Reads and checks a submission.
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

/** Returns the first faults, as many as are reported: a body may have a hundred thousand. */
function firstFaults(faults: Iterable<Fault>): readonly Fault[] {
  const first: Fault[] = [];
  for (const fault of faults) {
    if (first.push(fault) === MAX_FAULTS) break;
  }
  return first;
}

/**
 * Reads a query. Numbers arrive as text, an empty value counts as absent, and unknown parameters are ignored.
 *
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export function readQuery<Schema extends TObject>(schema: Schema, query: unknown): Static<Schema> {
  const given = query as Readonly<Record<string, string | readonly string[]>>;
  const entries = Object.entries(schema.properties)
    .filter(([name]) => Object.hasOwn(given, name) && given[name] !== '')
    .map(([name, field]) => [name, Type.IsInteger(field) ? integerOf(given[name]) : given[name]] as const);
  const repeated = entries.filter(([, value]) => Array.isArray(value));
  const once: readonly Fault[] = repeated.map(([name]) => [name, 'must be given once']);
  const values = Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)));
  refuse([...once, ...schemaFaults(schema, values)]);
  return values as Static<Schema>;
}

/** Converts text to an integer; leaves anything else for the schema to refuse. */
function integerOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
