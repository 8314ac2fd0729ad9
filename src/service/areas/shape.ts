import { type TSchema, Type } from 'typebox';

/** Parts of a schema, of all branches of a union together. */
export interface Shape {
  /** The fields of an object. */
  readonly fields: readonly Field[];
  /** The schema of the items of a list. */
  readonly items?: TSchema;
  /** Infinity for a list that may be of any length. */
  readonly maxItems: number;
  readonly isBoolean: boolean;
  readonly cannotBeEmpty: boolean;
}

interface Field {
  readonly name: string;
  readonly schema: TSchema;
}

/** A transcript has the same few schemas a hundred thousand times. */
const shapes = new WeakMap<TSchema, Shape>();

/** Returns the shape of a schema. */
export function shapeOf(schema: TSchema): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const branches = branchesOf(schema);
  const fields: Record<string, TSchema> = Object.assign(
    {},
    ...branches.filter(Type.IsObject).map(({ properties }) => properties),
  );
  const list = branches.find(Type.IsArray);
  const shape: Shape = {
    fields: Object.entries(fields).map(([name, inner]) => ({ name, schema: inner })),
    items: list?.items,
    maxItems: (list as { maxItems?: number } | undefined)?.maxItems ?? Number.POSITIVE_INFINITY,
    isBoolean: branches.some(Type.IsBoolean),
    cannotBeEmpty: Type.IsString(schema) && ((schema as { minLength?: number }).minLength ?? 0) > 0,
  };
  shapes.set(schema, shape);
  return shape;
}

function branchesOf(schema: TSchema): readonly TSchema[] {
  return Type.IsUnion(schema) ? schema.anyOf.flatMap(branchesOf) : [schema];
}
