import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Camel, fromWire } from '../../protocol/wireNames.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { accessToken, checkedToken } from '../serviceAccess.ts';
import { ProtocolError } from '../serviceErrors.ts';
import { answerError } from './answerErrors.ts';
import { type ClientSettings, eitherSignal } from './clientOptions.ts';
import { type Exchange, sendRequest } from './exchange.ts';

/** A request to a path of the service. */
export interface ServiceCall extends Pick<Exchange, 'action' | 'method' | 'body' | 'signal'> {
  /** Path below the address of the service, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Media type of the response. Default: JSON. */
  readonly accept?: string;
}

/** Authorized requests, which throw a typed error unless they succeed. */
export interface ServiceCalls {
  readonly settings: ClientSettings;
  /** Resolves with the body of the response. */
  text(call: ServiceCall): Promise<string>;
  /** Resolves with the JSON of the response, checked against the schema; unknown fields are allowed. */
  json<Schema extends TSchema>(schema: Schema, call: ServiceCall): Promise<Static<Schema>>;
  /** Resolves with the JSON of the response, with camelCase names. */
  value<Schema extends TSchema>(schema: Schema, call: ServiceCall): Promise<Camel<Static<Schema>>>;
}

/** Creates the requests of a client. */
export function serviceCalls(settings: ClientSettings): ServiceCalls {
  const calls: ServiceCalls = {
    settings,
    async text(call) {
      const { action, method, body, path, query = {}, accept = 'application/json', signal } = call;
      // The upload must also be closed when there is no token.
      const token = await tokenOf(settings).catch(error => {
        body?.close();
        throw error;
      });
      const answer = await sendRequest({
        ...settings,
        action,
        method,
        url: addressOf(settings.address, path, query),
        headers: { accept, authorization: `Bearer ${token}`, 'user-agent': 'rxscribe' },
        body,
        signal: eitherSignal(settings.signal, signal),
      });
      if (answer.status >= 200 && answer.status < 300) return answer.text;
      throw answerError(action, answer);
    },
    async json(schema, call) {
      return checkedJson(schema, call.action, await calls.text(call));
    },
    async value(schema, call) {
      return fromWire(schema, await calls.json(schema, call));
    },
  };
  return calls;
}

/**
 * Returns the JSON of a response.
 *
 * @throws ProtocolError when it does not fit the schema
 */
export function checkedJson<Schema extends TSchema>(
  schema: Schema,
  action: string,
  text: string,
): Static<Schema> {
  const json = jsonOf(text);
  if (Value.Check(schema, json)) return json;
  throw unreadable(action, json === undefined ? 'no JSON' : faultsOf(schema, json));
}

async function tokenOf({ token }: ClientSettings): Promise<string> {
  return checkedToken(await accessToken(token));
}

/** Returns the address of a path below that of a service, with a query. */
export function addressOf(base: URL, path: string, query: NonNullable<ServiceCall['query']>): URL {
  const address = new URL(base);
  address.pathname = address.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  return address;
}

/** Returns the places of faults, without their values, which may be words of a transcript. */
function faultsOf(schema: TSchema, json: unknown): string {
  const places = Value.Errors(schema, json).map(
    ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
  );
  return places.slice(0, 3).join(', ');
}

function unreadable(action: string, found: string): ProtocolError {
  return new ProtocolError('protocol', `Cannot ${action}: the response is not valid (${found}).`, {
    advice: 'Check the address and the version of the service.',
  });
}
