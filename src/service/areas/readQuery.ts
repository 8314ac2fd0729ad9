import { type Static, type TObject, Type } from 'typebox';
import { type Fault, refuse } from './faults.ts';
import { schemaFaults } from './schemaFaults.ts';

/**
 * Reads a query: numbers are text there, and an empty value is none. What the schema does not name is passed over.
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

/** What is no number stays as it is, for the schema to refuse. */
function integerOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
