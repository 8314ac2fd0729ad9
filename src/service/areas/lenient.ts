import type { TSchema } from 'typebox';
import { type Shape, shapeOf } from './shape.ts';

/**
 * What clients send for a value, as its schema wants it: null is absent, and so is an empty text where it cannot be
 * empty; booleans may be text; characters that cannot be kept are replaced. Fields that the schema does not name are
 * left out, and so is what a list has beyond one item too many.
 *
 * @example
 * lenient(SpeechToTextSubmissionSchema, { rush: 'True', language: null, more: 1 }) // { rush: true }
 */
export function lenient(schema: TSchema, value: unknown): unknown {
  return mend(shapeOf(schema), value);
}

function mend(shape: Shape, value: unknown): unknown {
  if (typeof value === 'string') return shape.isBoolean ? booleanOf(value) : storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return mendFields(shape, value as Record<string, unknown>);
  const { items, maxItems } = shape;
  if (!items) return value;
  const inner = shapeOf(items);
  // One too many is enough to be refused; a body may have millions.
  return value.slice(0, maxItems + 1).map(item => mend(inner, item));
}

function mendFields({ fields }: Shape, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const mended: Record<string, unknown> = {};
  for (const { name, schema } of fields) {
    if (!Object.hasOwn(value, name)) continue;
    const inner = value[name];
    const shape = shapeOf(schema);
    const isAbsent = inner === null || (inner === '' && shape.cannotBeEmpty);
    if (!isAbsent) mended[name] = mend(shape, inner);
  }
  return mended;
}

/** What no database keeps as text: halves of characters, and the character 0. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function booleanOf(text: string): unknown {
  const word = text.toLowerCase();
  return word === 'true' || (word === 'false' ? false : text);
}
