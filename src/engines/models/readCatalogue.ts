import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { InvalidArgumentError, reasonOf } from '../../base/errors.ts';
import { MODEL_ROLES } from '../../base/models.ts';
import { CATALOGUE } from './catalogue.ts';
import type { CatalogueModel } from './catalogueModel.ts';

/** A plain file name without a path. */
const Name = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}$' });

const CatalogueSchema = Type.Array(
  Type.Object({
    name: Name,
    roles: Type.Array(Type.Union(MODEL_ROLES.map(role => Type.Literal(role))), { minItems: 1 }),
    languages: Type.Array(Type.String({ pattern: '^[a-z]{2,3}$' })),
    licence: Type.String({ minLength: 1, maxLength: 200 }),
    package: Type.Optional(
      Type.Object({
        name: Type.String({ pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$', maxLength: 214 }),
        version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$', maxLength: 100 }),
        integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
        bytes: Type.Integer({ minimum: 1 }),
      }),
    ),
    files: Type.Array(
      Type.Object({
        name: Name,
        url: Type.Optional(Type.String({ pattern: '^https://' })),
        path: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
        bytes: Type.Integer({ minimum: 1 }),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  { maxItems: 1000 },
);

/**
 * Returns the catalogue, with models of a JSON file in the same form first, which replace those of the same
 * name.
 *
 * @throws InvalidArgumentError when the file cannot be read or has another form
 */
export async function readCatalogue(path?: string): Promise<readonly CatalogueModel[]> {
  if (path === undefined) return CATALOGUE;
  const own = parseCatalogue(path, await readJson(path));
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...CATALOGUE.filter(({ name }) => !names.has(name))];
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new InvalidArgumentError(`Cannot read the catalogue '${path}' as JSON: ${reasonOf(cause)}.`, {
      cause,
    });
  }
}

function parseCatalogue(path: string, value: unknown): Static<typeof CatalogueSchema> {
  const isCatalogue = Value.Check(CatalogueSchema, value);
  const fault = isCatalogue ? findFault(value) : schemaFault(value);
  if (isCatalogue && !fault) return value;
  throw new InvalidArgumentError(`Cannot read the catalogue '${path}': ${fault}.`);
}

function schemaFault(value: unknown): string {
  const [error] = Value.Errors(CatalogueSchema, value);
  return `${error?.instancePath ? `'${error.instancePath}'` : 'its content'} is invalid (${error?.message})`;
}

/** Returns the first fault that the schema cannot express. */
function findFault(models: Static<typeof CatalogueSchema>): string | undefined {
  const model = findRepeated(models.map(({ name }) => name));
  if (model) return `it has '${model}' twice`;
  for (const { name, files, package: source } of models) {
    const file = findRepeated(files.map(file => file.name));
    if (file) return `it has '${name}/${file}' twice`;
    const unplaced = files.find(({ url, path }) => (source ? path : url) === undefined);
    if (unplaced) return `'${name}/${unplaced.name}' has no ${source ? 'path in its package' : 'URL'}`;
    const elsewhere = files.find(({ url }) => url !== undefined && !isAddress(url));
    if (elsewhere) {
      return `the URL of '${name}/${elsewhere.name}' is invalid, or has a user name or password`;
    }
  }
  return undefined;
}

/** Returns the first repeated name; some file systems ignore case. */
function findRepeated(names: readonly string[]): string | undefined {
  const lower = names.map(name => name.toLowerCase());
  return names.find((_, index) => lower.indexOf(lower[index]!) < index);
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
