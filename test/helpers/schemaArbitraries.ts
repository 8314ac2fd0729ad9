import fc from 'fast-check';
import type { Schema } from './openApi.ts';

/** Addresses that nobody is asked at, and texts that are none. */
const ADDRESSES = [
  'http://127.0.0.1:9/talk.wav',
  'https://[::1]:9/a?b=c#d',
  'HTTP://127.0.0.1:9',
  'ftp://127.0.0.1/a',
  'http://a:b@127.0.0.1:9/',
  'javascript:alert(1)',
  'http://',
  'talk.wav',
  '//127.0.0.1:9',
  `http://127.0.0.1:9/${'x'.repeat(3000)}`,
];

/** Texts that have broken something somewhere. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  "'; drop table jobs; --",
  '../..',
  '%00',
  '__proto__',
  'é'.normalize('NFD'),
];

const oddText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(...ODD_TEXTS),
);

/** Any JSON, with names that mean something to JavaScript. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.constantFrom<unknown>({ __proto__: { a: 1 } }, { constructor: { prototype: 1 } }, { toString: 'x' }, [
    [[[]]],
  ]),
);

/**
 * Values of a schema; text that is an address leads nowhere.
 *
 * @param name of the field that has the value
 */
export function valuesOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(branch => valuesOf(branch, name)));
  if (schema.allOf) return valuesOf(schema.allOf[0]!, name);
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array': {
      const { minItems: minLength = 0, maxItems = 4 } = schema;
      return fc.array(valuesOf(schema.items ?? {}, name), {
        minLength,
        maxLength: Math.min(maxItems, minLength + 4),
      });
    }
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'number':
      return fc.double({ min: schema.minimum, max: schema.maximum ?? 1e6, noNaN: true });
    case 'string':
      return textOf(schema, name);
    default:
      return anyJson;
  }
}

/** Optional fields are rare: the more there are, the more rules between them are broken. */
function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const values = valuesOf(schema, name);
    if (required.includes(name)) return [name, values] as const;
    const rare = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
    return [name, rare] as const;
  });
  return fc
    .record(Object.fromEntries(fields))
    .map(value => Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)));
}

function textOf({ pattern, minLength = 0, maxLength = 100 }: Schema, name: string): fc.Arbitrary<string> {
  if (/url$/.test(name)) return fc.constantFrom(...ADDRESSES);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, minLength + 30) }),
    oddText,
  );
}

/** Values of which something was replaced, added or left out. */
export function damaged(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.nat(20), anyJson, fc.boolean()), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(values, changes)
    .map(([value, some]) =>
      some.reduce((whole, [at, json, isLost]) => damage(whole, at, json, isLost), value),
    );
}

function damage(value: unknown, at: number, json: unknown, isLost: boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return json;
  const names = [...Object.keys(value), 'unknown_field'];
  const name = names[at % names.length]!;
  const { [name]: old, ...rest } = value as Record<string, unknown>;
  if (isLost) return rest;
  // What is in it is damaged more often than all of it.
  const isInside = typeof old === 'object' && old !== null && at % 3 > 0;
  return { ...rest, [name]: isInside ? damage(old, at + 1, json, isLost) : json };
}

/** JSON as text, with something odd at the end of one of its texts. */
export function seasoned(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const odd = fc.constantFrom('\\u0000', '\\ud800', '\\u202e', '\\"', '\\\\', ' é', '%00', '../');
  return fc.tuple(values, fc.nat(), odd).map(([value, at, text]) => {
    const json = JSON.stringify(value) ?? '';
    const ends = [...json.matchAll(/"(?=[,}\]])/g)].map(match => match.index);
    const end = ends[at % ends.length] ?? 0;
    return json.slice(0, end) + text + json.slice(end);
  });
}
