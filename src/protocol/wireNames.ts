import { type Static, type TSchema, Type } from 'typebox';

/** The names of the wire are in snake_case, those of programs in camelCase; a schema says which names are names. */

/** @example CamelName<'created_on'> // 'createdOn' */
export type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

/** A value of the wire as programs have it. */
export type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as Name extends string ? CamelName<Name> : Name]: Camel<T[Name]> }
    : T;

/**
 * A value of the wire, under the names of programs. What the schema does not name stays as it is: fields of later
 * versions, and records whose names are data.
 *
 * @example
 * fromWire(JobSchema, { id: 'a', created_on: '…' }) // { id: 'a', createdOn: '…' }
 */
export function fromWire<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema>,
): Camel<Static<Schema>> {
  return rename(schema, value, name => [name, camelName(name)]) as Camel<Static<Schema>>;
}

/** The inverse of {@link fromWire}. */
export function toWire<Schema extends TSchema>(schema: Schema, value: Camel<Static<Schema>>): Static<Schema> {
  return rename(schema, value, name => [camelName(name), name]) as Static<Schema>;
}

function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** From a name in a schema, the name in the value and the name in the result. */
type Renaming = (name: string) => readonly [from: string, to: string];

function rename(schema: TSchema, value: unknown, renaming: Renaming): unknown {
  if (Array.isArray(value)) {
    const items = branchesOf(schema).find(Type.IsArray)?.items;
    return items ? value.map(item => rename(items, item, renaming)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsOf(schema, renaming);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = fields.get(name);
      return field ? [field.name, rename(field.schema, inner, renaming)] : [name, inner];
    }),
  );
}

/** The fields of an object, or of every object that a union allows, by their names in the value. */
function fieldsOf(schema: TSchema, renaming: Renaming): Map<string, { name: string; schema: TSchema }> {
  return new Map(
    branchesOf(schema)
      .filter(Type.IsObject)
      .flatMap(({ properties }) => Object.entries(properties))
      .map(([wireName, inner]) => {
        const [from, to] = renaming(wireName);
        return [from, { name: to, schema: inner }];
      }),
  );
}

function branchesOf(schema: TSchema): readonly TSchema[] {
  return Type.IsUnion(schema) ? schema.anyOf.flatMap(branchesOf) : [schema];
}
