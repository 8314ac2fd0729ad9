import { type TSchema, Type } from 'typebox';

/** What a schema wants, in words: its title, else what it says of itself. */
export function wantedBy(schema: TSchema): string {
  const { title } = schema as { title?: string };
  if (title) return title;
  if (Type.IsLiteral(schema)) return String(schema.const);
  if (Type.IsUnion(schema)) return listed(schema.anyOf.map(wantedBy));
  if (Type.IsObject(schema)) return `a mapping with ${Object.keys(schema.properties).join(', ')}`;
  if (Type.IsArray(schema)) return listOf(schema as { minItems?: number });
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsInteger(schema)) return `an integer${rangeOf(schema as Range)}`;
  if (Type.IsNumber(schema)) return `a number${rangeOf(schema as Range)}`;
  return 'text';
}

function listOf({ minItems }: { readonly minItems?: number }): string {
  return minItems ? `a list of at least ${minItems}` : 'a list';
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
