import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { InvalidArgumentError, reasonOf } from '../../base/errors.ts';
import { CATALOGUE, type CatalogueModel, CatalogueSchema } from './catalogue.ts';

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

function parseCatalogue(path: string, value: unknown): readonly CatalogueModel[] {
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
function findFault(models: readonly CatalogueModel[]): string | undefined {
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
