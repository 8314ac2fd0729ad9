import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Fault, faultsOf, MAX_FAULTS } from './faults.ts';
import { shapeOf } from './shape.ts';

/** Compiled when they are needed first: it takes milliseconds each. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/** Returns the faults of a value by its schema. */
export function schemaFaults(schema: TSchema, value: unknown): readonly Fault[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  // A fault within lists within lists is an item of each of them.
  return faultsOf(validator.Errors(faultyOnly(schema, value, { left: 5 * MAX_FAULTS })));
}

/**
 * Returns a value without the items of lists that are as they should be. Errors takes microseconds for each item, Check
 * a hundredth of that; holes keep the length of a list and the places of the others, and Errors passes over them.
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
