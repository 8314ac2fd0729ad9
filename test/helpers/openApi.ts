import { Compile } from 'typebox/schema';
import { request } from './testService.ts';

/** JSON Schema, as far as the service uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** The OpenAPI document of a service, from `/openapi.json`. */
export interface OpenApi {
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  readonly document: any;
  readonly operations: readonly DocumentedOperation[];
  /** A schema with its references replaced, at every depth. */
  resolve(schema: Schema): Schema;
  /** Faults of a value; empty for a valid one. */
  faults(schema: Schema, value: unknown): readonly string[];
}

export async function fetchOpenApi(service: { readonly url: string }): Promise<OpenApi> {
  const document = (await request(service, '/openapi.json')).json();
  const operations = Object.entries<Record<string, Omit<DocumentedOperation, 'method' | 'path'>>>(
    document.paths,
  ).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const resolved = new Map<Schema, Schema>();

  function resolve(schema: Schema): Schema {
    const known = resolved.get(schema);
    if (known) return known;
    const replaced = schema.$ref === undefined ? copy(schema) : resolve(target(schema.$ref));
    resolved.set(schema, replaced);
    return replaced;
  }

  function target(reference: string): Schema {
    const found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce((place, name) => place?.[name], document);
    if (found === undefined) throw new Error(`no ${reference}`);
    return found;
  }

  function copy(value: unknown): Schema {
    if (Array.isArray(value)) return value.map(copy) as never;
    if (typeof value !== 'object' || value === null) return value as Schema;
    if ('$ref' in value) return resolve(value as Schema);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]));
  }

  return {
    document,
    operations,
    resolve,
    faults(schema, value) {
      const validator = Compile(resolve(schema) as object);
      if (validator.Check(value)) return [];
      return validator.Errors(value)[1].map(({ instancePath, message }) => `${instancePath}: ${message}`);
    },
  };
}
