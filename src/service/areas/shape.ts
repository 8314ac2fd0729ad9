import { type TSchema, Type } from 'typebox';
import { branchesOf } from '../../protocol/wireNames.ts';

/** The parts of a schema; for a union, of all its branches together. */
export interface Shape {
  /** Fields of an object. */
  readonly fields: readonly Field[];
  /** Schema of the items of a list. */
  readonly items?: TSchema;
  /** Infinity for a list of unlimited length. */
  readonly maxItems: number;
  readonly isBoolean: boolean;
  readonly cannotBeEmpty: boolean;
}

interface Field {
  readonly name: string;
  readonly schema: TSchema;
}

/** Shapes by schema: a transcript uses the same few schemas a hundred thousand times. */
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

/**
 * Converts a value as sent by clients to the form of its schema: drops null, and empty text where it cannot be empty;
 * converts booleans from text; replaces characters that cannot be stored; drops unknown fields, and the items of a list
 * beyond one more than allowed.
 *
 * @example
 * lenient(SpeechToTextSubmissionSchema, { rush: 'True', language: null, more: 1 }) // { rush: true }
 */
export function lenient(schema: TSchema, value: unknown): unknown {
  return convert(shapeOf(schema), value);
}

function convert(shape: Shape, value: unknown): unknown {
  if (typeof value === 'string') return shape.isBoolean ? booleanOf(value) : storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return convertFields(shape, value as Record<string, unknown>);
  const { items, maxItems } = shape;
  if (!items) return value;
  const inner = shapeOf(items);
  // One more than allowed is enough to be refused; a body may have millions.
  return value.slice(0, maxItems + 1).map(item => convert(inner, item));
}

function convertFields({ fields }: Shape, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  // In the order of the client, which a job shows.
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.find(known => known.name === name);
    if (!field) continue;
    const shape = shapeOf(field.schema);
    const isAbsent = inner === null || (inner === '' && shape.cannotBeEmpty);
    if (!isAbsent) converted[name] = convert(shape, inner);
  }
  return converted;
}

/** Yields the names of the fields that a schema does not have, such as `source_config.ulr`, without the indices of lists. */
export function* unknownNames(schema: TSchema, value: unknown, path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { fields, items } = shapeOf(schema);
  if (Array.isArray(value)) {
    // Items without fields, such as phrases, may be hundreds of thousands.
    if (items && shapeOf(items).fields.length > 0) {
      for (const item of value) yield* unknownNames(items, item, path);
    }
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.find(known => known.name === name);
    if (field) yield* unknownNames(field.schema, inner, `${path}${name}.`);
    else yield path + name;
  }
}

/** Replaces characters that the database cannot store: lone surrogates, and the character 0. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function booleanOf(text: string): unknown {
  const word = text.toLowerCase();
  return word === 'true' || (word === 'false' ? false : text);
}
