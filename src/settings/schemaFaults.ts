import { type TObject, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { closestName } from '../base/namedOptions.ts';

/** Path from the root: keys and indexes. */
export type Path = readonly (string | number)[];

/** A fault in a value. */
export interface Fault {
  readonly path: Path;
  /** Expected and found value. */
  readonly message: string;
  /** True when the key is at fault, not its value. */
  readonly ofKey?: boolean;
}

/** Returns all faults of a value, in the order of the value. */
export function schemaFaults(schema: TSchema, value: unknown, path: Path = []): readonly Fault[] {
  if (fits(schema, value)) return [];
  if (Type.IsUnion(schema) && isRecord(value)) {
    const faults = branchFaults(schema.anyOf, value, path);
    if (faults.length > 0) return faults;
  }
  if (Type.IsObject(schema) && isRecord(value)) return objectFaults(schema, value, path);
  if (Array.isArray(value) && Type.IsArray(schema)) {
    const { items } = schema;
    const faults = value.flatMap((item: unknown, index: number) =>
      schemaFaults(items, item, [...path, index]),
    );
    if (faults.length > 0) return faults;
  }
  return [{ path, message: `expected ${expectedBy(schema)}, found ${shown(value)}` }];
}

function objectFaults(
  { properties, required = [] }: Pick<TObject, 'properties'> & { readonly required?: readonly string[] },
  value: Readonly<Record<string, unknown>>,
  path: Path,
): readonly Fault[] {
  const names = Object.keys(properties);
  const missing = required
    .filter(name => !Object.hasOwn(value, name))
    .map(name => ({ path, message: `expected ${name}, found none` }));
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const place = [...path, name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? schemaFaults(known, item, place) : [unknownKey(place, name, names)];
  });
  return [...missing, ...inner];
}

function unknownKey(path: Path, name: string, names: readonly string[]): Fault {
  const meant = closestName(name, names);
  const advice = meant ? `did you mean ${meant}?` : `known are ${names.join(', ')}`;
  return { path, message: `unknown key ${shown(name)}; ${advice}`, ofKey: true };
}

/** Returns the faults by the branch of a union that fits the value best. */
function branchFaults(
  branches: readonly TSchema[],
  value: Readonly<Record<string, unknown>>,
  path: Path,
): readonly Fault[] {
  const objects = branches.filter(Type.IsObject);
  const kinds = objects.flatMap(({ properties }) => (properties as { readonly kind?: TSchema }).kind ?? []);
  const [only] = objects;
  if (kinds.length === 0) return only && objects.length === 1 ? schemaFaults(only, value, path) : [];
  const meant = objects[kinds.findIndex(kind => fits(kind, value.kind))];
  if (meant) return schemaFaults(meant, value, path);
  // The valid other keys depend on the kind.
  const known = Object.hasOwn(value, 'kind') ? { kind: value.kind } : {};
  return schemaFaults(Type.Object({ kind: Type.Union(kinds) }), known, path);
}

/** Returns whether a value fits a schema, without narrowing its type. */
function fits(schema: TSchema, value: unknown): boolean {
  return Value.Check(schema, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_SHOWN = 60;

/** Formats a value for a message. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Describes the values of a schema: by its title, or else by its type. */
function expectedBy(schema: TSchema): string {
  const { title, maxLength, minItems } = schema as { title?: string; maxLength?: number; minItems?: number };
  if (title) return title;
  if (Type.IsLiteral(schema)) return String(schema.const);
  if (Type.IsUnion(schema)) return listed(schema.anyOf.map(expectedBy));
  if (Type.IsObject(schema)) return `a mapping with ${Object.keys(schema.properties).join(', ')}`;
  if (Type.IsArray(schema)) return minItems ? `a list of at least ${minItems}` : 'a list';
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsInteger(schema)) return `an integer${rangeOf(schema as Range)}`;
  if (Type.IsNumber(schema)) return `a number${rangeOf(schema as Range)}`;
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
}

interface Range {
  readonly minimum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly maximum?: number | bigint;
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Range): string {
  const from = exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`;
  if (from === undefined) return '';
  const start = exclusiveMinimum === undefined ? ` from ${from}` : ` ${from}`;
  return maximum === undefined ? start : `${start} to ${maximum}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
