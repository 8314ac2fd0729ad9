import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { invalidParameters } from '../problems.ts';
import { shapeOf } from './shape.ts';

/** A fault of one parameter, whose name is spelled as in the request. */
export type Fault = readonly [name: string, message: string];

/** Maximum number of faults reported for one request. */
export const MAX_FAULTS = 200;
// A global setting of the library, which stops at 8 by default.
Settings.Set({ maxErrors: MAX_FAULTS });

/** @throws ProblemError `invalidParameters` when there are faults */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidParameters(byParameter(faults));
}

function byParameter(faults: readonly Fault[]): Record<string, string[]> {
  const gathered = new Map<string, Set<string>>();
  for (const [name, message] of faults.slice(0, MAX_FAULTS)) {
    gathered.set(name, (gathered.get(name) ?? new Set()).add(message));
  }
  return Object.fromEntries([...gathered].map(([name, messages]) => [name, [...messages]]));
}

/** Returns the faults that a schema found, without those of the other branches of a union. */
function faultsOf(schema: TSchema, errors: readonly TLocalizedValidationError[]): readonly Fault[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(error => error.instancePath);
  const isInside = ({ keyword, instancePath }: TLocalizedValidationError, union: string) =>
    instancePath.startsWith(`${union}/`) || (keyword === 'required' && instancePath === union);
  const hasDeeper = (union: string) => errors.some(error => isInside(error, union));
  const isOfAnotherBranch = (error: TLocalizedValidationError) =>
    error.keyword === 'boolean'
      ? errors.some(other => other.keyword !== 'boolean' && other.instancePath === error.instancePath)
      : error.keyword === 'const' &&
        unions.some(
          union =>
            isInside(error, union) &&
            errors.some(other => other.keyword !== 'const' && isInside(other, union)),
        );
  return errors.flatMap(error => {
    const { instancePath, keyword } = error;
    if (isOfAnotherBranch(error)) return [];
    if (keyword === 'required') {
      const missing: readonly string[] = error.params.requiredProperties;
      return missing.map(name => [nameOf(`${instancePath}/${name}`), 'is required'] as const);
    }
    if (!unions.includes(instancePath)) return [[nameOf(instancePath), messageFor(error, schema)] as const];
    if (keyword !== 'anyOf' || hasDeeper(instancePath)) return [];
    const all = errors.filter(other => other.instancePath === instancePath);
    return [[nameOf(instancePath), alternatives(all, schema)] as const];
  });
}

/** @example nameOf('/segments_to_transcribe/0/start') // 'segments_to_transcribe[0].start' */
function nameOf(path: string): string {
  const name = path
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : `${whole}.${part}`), '');
  return name.replace(/^\./, '') || 'request';
}

/** Names of types, for people. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function messageFor(error: TLocalizedValidationError, schema: TSchema): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    // An item beyond the last one that the schema has.
    case 'boolean':
      return 'is not known';
    case 'const':
      return `must be ${params.allowedValue}`;
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map(type => TYPES[type] ?? type)
        .join(' or ')}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'pattern': {
      const example = exampleAt(schema, error.schemaPath);
      return example === undefined ? message : `must be written like ${example}`;
    }
    default:
      return message;
  }
}

/** Returns the first example of the part of a schema at a path such as `#/properties/email`. */
function exampleAt(schema: TSchema, path: string): unknown {
  const part = path
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], schema);
  return (part as { examples?: readonly unknown[] } | undefined)?.examples?.[0];
}

function alternatives(errors: readonly TLocalizedValidationError[], schema: TSchema): string {
  const words = errors.flatMap(error =>
    error.keyword === 'const' ? [String(error.params.allowedValue)] : [],
  );
  if (words.length > 0) return `must be one of ${words.join(', ')}`;
  const others = errors.filter(({ keyword }) => keyword !== 'anyOf');
  // The alternative with the type of the value describes the fault best.
  const ofType = others.filter(({ keyword }) => keyword !== 'type');
  const messages = (ofType.length > 0 ? ofType : others).map(error => messageFor(error, schema));
  return [...new Set(messages)].join(' or ').replaceAll('or must be', 'or');
}

/** Validators, compiled on first use: each takes milliseconds. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/** Returns the faults of a value according to its schema. */
export function schemaFaults(schema: TSchema, value: unknown): readonly Fault[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  // The limit counts a fault within nested lists once for each list.
  return faultsOf(schema, validator.Errors(faultyOnly(schema, value, { left: 5 * MAX_FAULTS })));
}

/**
 * Returns a value with only the invalid items of its lists. Validation with errors takes microseconds for each item, Check
 * a hundredth of that; holes keep the length of a list and the indices of its items, and validation skips them.
 */
function faultyOnly(schema: TSchema, value: unknown, faulty: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { items, fields } = shapeOf(schema);
  if (!Array.isArray(value)) {
    const known = fields.filter(({ name }) => Object.hasOwn(value, name));
    const given = value as Readonly<Record<string, unknown>>;
    const inner = known.map(field => [field.name, faultyOnly(field.schema, given[field.name], faulty)]);
    return { ...value, ...Object.fromEntries(inner) };
  }
  if (!items) return value;
  const found = new Array<unknown>(value.length);
  for (let index = 0; index < value.length && faulty.left > 0; index++) {
    if (validatorOf(items).Check(value[index])) continue;
    faulty.left--;
    found[index] = faultyOnly(items, value[index], faulty);
  }
  return found;
}
