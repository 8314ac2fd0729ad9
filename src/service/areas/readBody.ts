import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { type Fault, refuse, schemaFaults } from './faults.ts';

/**
 * Returns the body of a request of an operator, or of the desk. Unlike clients, they get unknown fields reported.
 *
 * @throws ProblemError `invalidParameters` with all faults at once
 */
export function readBody<Schema extends TObject>(schema: Schema, body: unknown): Static<Schema> {
  const json = body ?? {};
  if (typeof json !== 'object' || Array.isArray(json)) refuse([['request', 'must be a JSON object']]);
  refuse([...schemaFaults(schema, json), ...unknownFields(schema, json, '')]);
  return json as Static<Schema>;
}

function unknownFields(schema: TSchema | undefined, value: unknown, path: string): readonly Fault[] {
  if (!schema || !Type.IsObject(schema) || typeof value !== 'object' || value === null) return [];
  const { properties } = schema;
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.hasOwn(properties, name)
      ? unknownFields(properties[name], inner, `${path}${name}.`)
      : [[`${path}${name}`, 'is not known'] as const],
  );
}
