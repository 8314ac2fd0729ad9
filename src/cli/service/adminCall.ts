import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { answerError } from '../../client/jobs/answerErrors.ts';
import { CLIENT_DEFAULTS } from '../../client/jobs/clientOptions.ts';
import { type Exchange, sendRequest } from '../../client/jobs/exchange.ts';
import { jsonBody, type RequestBody, textBody } from '../../client/jobs/requestBody.ts';
import { checkedToken, serviceAddress } from '../../client/serviceAccess.ts';
import { ProtocolError, UnreachableError } from '../../client/serviceErrors.ts';
import { ADMIN_SOCKET_NAME } from '../../protocol/admin.ts';
import { ADMIN_PREFIX, TEXT_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';

/** Which service is administered. */
export interface AdminAccess {
  /** Data directory of a service on this machine. */
  readonly data: string;
  /** One over the network, in place of that; with its admin token. */
  readonly url?: string;
  readonly adminToken?: string;
}

/** One thing that is asked of a service. */
export interface AdminCall {
  /** For messages, as `create token`. */
  readonly action: string;
  readonly method: Exchange['method'];
  /** Segments below the prefix. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number>>;
  /** JSON, or a text. */
  readonly body?: object | string;
  /** For the answer. Default: that of the client. */
  readonly timeoutMs?: number;
}

/**
 * Asks a service as its operator, and gives its answer under the names of the wire.
 *
 * @throws UnreachableError with what to do; the errors of the client; InvalidArgumentError
 */
export async function adminCall<Answer>(access: AdminAccess, call: AdminCall): Promise<Answer> {
  const { action, method, path, query = {}, body, timeoutMs = CLIENT_DEFAULTS.timeoutMs } = call;
  const door = doorOf(access);
  const url = new URL(door.address);
  url.pathname = [url.pathname.replace(/\/$/, '') + ADMIN_PREFIX, ...path.map(segmentOf)].join('/');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const answer = await sendRequest({
    ...{ action, method, url, headers: door.headers, clock: systemClock },
    timeoutMs,
    maxAnswerBytes: CLIENT_DEFAULTS.maxAnswerBytes,
    ...(door.socketPath !== undefined && { socketPath: door.socketPath }),
    ...(body !== undefined && { body: bodyOf(body) }),
  }).catch(error => {
    throw door.socketPath !== undefined && error instanceof UnreachableError
      ? notRunning(call, access, error)
      : error;
  });
  if (answer.status >= 300) throw answerError(action, answer);
  return answer.status === 204 ? (undefined as Answer) : parse(action, answer.text);
}

/** @throws InvalidArgumentError for what would lead to another path */
function segmentOf(text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new InvalidArgumentError(`administration: wanted an id or an e-mail address, found "${text}"`);
}

function parse<Answer>(action: string, text: string): Answer {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes the text.
    throw new ProtocolError('protocol', `${action}: wanted an answer in JSON, found something else`, {
      advice: 'Check the address: something answers there, but not as a service does.',
    });
  }
}

function bodyOf(body: object | string): RequestBody {
  return typeof body === 'string' ? textBody(body, TEXT_MEDIA_TYPE) : jsonBody(body);
}

interface Door {
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly socketPath?: string;
}

function doorOf({ data, url, adminToken }: AdminAccess): Door {
  if (url === undefined) {
    return { address: new URL('http://localhost'), headers: {}, socketPath: join(data, ADMIN_SOCKET_NAME) };
  }
  if (adminToken === undefined) {
    throw new InvalidArgumentError('administration: --url needs --admin-token (or RXSCRIBE_ADMIN_TOKEN)');
  }
  const headers = { authorization: `Bearer ${checkedToken(adminToken)}` };
  return { address: serviceAddress(url, 'http'), headers };
}

function notRunning({ action }: AdminCall, { data }: AdminAccess, cause: UnreachableError): UnreachableError {
  const { code } = cause.cause as NodeJS.ErrnoException;
  if (code === 'EACCES') {
    const message = `${action}: wanted the service with the data directory ${data}, found one of another user`;
    return new UnreachableError('unreachable', message, {
      advice: 'Run this as the user that runs the service.',
      cause,
    });
  }
  const message = `${action}: wanted a service with the data directory ${data}, found none that runs`;
  return new UnreachableError('unreachable', message, {
    advice:
      'Start it with "rxscribe serve", name its directory with --data, or another service with --url and --admin-token.',
    cause,
  });
}
