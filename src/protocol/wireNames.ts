import { type Static, type TSchema, Type } from 'typebox';

/** Conversion between the snake_case names of the wire and the camelCase names of programs, guided by schemas. */

/** The camelCase form of a name: `CamelName<'created_on'>` is `'createdOn'`. */
export type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

/** A value of the wire with camelCase names. */
export type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as Name extends string ? CamelName<Name> : Name]: Camel<T[Name]> }
    : T;

/**
 * Renames the fields of a value from the wire to camelCase. Fields that the schema does not have stay unchanged: fields of later
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

/** Renames the fields of a value to snake_case: the inverse of {@link fromWire}. */
export function toWire<Schema extends TSchema>(schema: Schema, value: Camel<Static<Schema>>): Static<Schema> {
  return rename(schema, value, name => [camelName(name), name]) as Static<Schema>;
}

/** Returns the name in programs for a name of the wire. */
export function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Returns the names in the value and in the result for a name in a schema. */
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

/** Returns the fields of an object schema, or of all objects in a union, by their names in the value. */
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

/** Returns the branches of a union; another schema alone. */
export function branchesOf(schema: TSchema): readonly TSchema[] {
  return Type.IsUnion(schema) ? schema.anyOf.flatMap(branchesOf) : [schema];
}
