import { setImmediate } from 'node:timers/promises';
import { type Static, type TObject, Type } from 'typebox';
import { languageOf } from '../../protocol/language.ts';
import { MAX_IGNORED_OPTION_LENGTH, MAX_IGNORED_OPTIONS } from '../../protocol/limits.ts';
import { withNamedHeaders } from './addressRules.ts';
import { type Fault, MAX_FAULTS, refuse, schemaFaults } from './faults.ts';
import { lenient, storable, unknownNames } from './shape.ts';
import type { Rule, SubmissionContext, SubmissionKind } from './submission.ts';

export interface ReadSubmissionOptions extends SubmissionContext {
  /** Name of the whole submission in faults: `request`, or the part of a form that contains it. */
  readonly name: string;
  /** Faults found before. */
  readonly faults: readonly Fault[];
  /** Names of ignored fields found before. */
  readonly ignored: readonly string[];
}

/** Fields for results that clients would fetch, and not find. */
const UNSUPPORTED = ['summarization_config', 'translation_config', 'topic_extraction_config'];

/**
 * Reads and checks a submission, and lets other work run in between.
 *
 * @returns the submission, and the names of the given fields that have no effect
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export async function readSubmission(
  { schema, rules, ineffective }: SubmissionKind,
  json: unknown,
  { name, faults, ignored, ...context }: ReadSubmissionOptions,
) {
  if (typeof (json ?? {}) !== 'object' || Array.isArray(json)) {
    refuse([...faults, [name, 'must be a JSON object']]);
  }
  // Parsing took a turn of its own.
  await setImmediate();
  const given = (json ?? {}) as Record<string, unknown>;
  const named = withNamedHeaders(given, Object.keys(schema.properties));
  const submission = lenient(schema, named) as Record<string, unknown>;
  if (typeof submission.language === 'string') submission.language = languageOf(submission.language);
  const formal = schemaFaults(schema, submission);
  const malformed = new Set(formal.map(([name]) => name.split(/[.[]/)[0]));
  const broken: Fault[] = [];
  for (const { fields, check } of rules as readonly Rule<Record<string, unknown>>[]) {
    if (fields.some(field => malformed.has(field))) continue;
    broken.push(...(await firstFaults(check(submission, context))));
  }
  const unsupported = UNSUPPORTED.filter(field => (given[field] ?? null) !== null).map(
    field => [field, 'is not supported by this deployment'] as const,
  );
  refuse([...faults, ...unsupported, ...formal, ...broken]);
  const ineffectual = ineffective?.(submission).filter(field => field in submission) ?? [];
  const names = new Set([...ignored, ...ineffectual, ...unknownNames(schema, { ...given, ...named })]);
  return { submission, ignored: [...names].slice(0, MAX_IGNORED_OPTIONS).map(shortened) };
}

function shortened(name: string): string {
  return storable(name.slice(0, MAX_IGNORED_OPTION_LENGTH));
}

/** Returns the first faults, as many as are reported: a body may have a hundred thousand. */
async function firstFaults(faults: Iterable<Fault | undefined>): Promise<readonly Fault[]> {
  const first: Fault[] = [];
  for (const fault of faults) {
    if (!fault) await setImmediate();
    else if (first.push(fault) === MAX_FAULTS) break;
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
