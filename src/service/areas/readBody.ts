import type { Static, TObject } from 'typebox';
import { type Fault, refuse, schemaFaults } from './faults.ts';
import { unknownNames } from './shape.ts';

/**
 * Returns the body of a request of an operator, of the desk, or for a stream token. Unlike in jobs, unknown fields are faults.
 *
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export function readBody<Schema extends TObject>(schema: Schema, body: unknown): Static<Schema> {
  const json = body ?? {};
  if (typeof json !== 'object' || Array.isArray(json)) refuse([['request', 'must be a JSON object']]);
  const unknown = [...unknownNames(schema, json)].map((name): Fault => [name, 'is not known']);
  refuse([...schemaFaults(schema, json), ...unknown]);
  return json as Static<Schema>;
}
