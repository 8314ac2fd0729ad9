import { type TSchema, Type } from 'typebox';

/**
 * What clients send for a value, as its schema wants it: null is absent, and so is an empty text where it cannot be
 * empty; booleans may be text; characters that cannot be kept are replaced. Fields that the schema does not name are
 * left out.
 *
 * @example
 * lenient(SpeechToTextSubmissionSchema, { rush: 'True', language: null, more: 1 }) // { rush: true }
 */
export function lenient(schema: TSchema, value: unknown): unknown {
  const branches = branchesOf(schema);
  if (Array.isArray(value)) {
    const list = branches.find(Type.IsArray);
    return list ? value.map(item => lenient(list.items, item)) : value;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.assign({}, ...branches.filter(Type.IsObject).map(({ properties }) => properties));
    return lenientFields(fields, value as Record<string, unknown>);
  }
  if (typeof value !== 'string') return value;
  return branches.some(Type.IsBoolean) ? booleanOf(value) : storable(value);
}

/** What no database keeps as text: halves of characters, and the character 0. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function lenientFields(
  fields: Readonly<Record<string, TSchema>>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, schema]) => Object.hasOwn(value, name) && !isAbsent(schema, value[name]))
      .map(([name, schema]) => [name, lenient(schema, value[name])]),
  );
}

function isAbsent(schema: TSchema, value: unknown): boolean {
  return value === null || (value === '' && cannotBeEmpty(schema));
}

function cannotBeEmpty(schema: TSchema): boolean {
  return Type.IsString(schema) && ((schema as { minLength?: number }).minLength ?? 0) > 0;
}

function booleanOf(text: string): unknown {
  const word = text.toLowerCase();
  return word === 'true' || (word === 'false' ? false : text);
}

function branchesOf(schema: TSchema): readonly TSchema[] {
  return Type.IsUnion(schema) ? schema.anyOf.flatMap(branchesOf) : [schema];
}
