import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { answerError } from '../../client/jobs/answerErrors.ts';
import { CLIENT_DEFAULTS } from '../../client/jobs/clientOptions.ts';
import { type Exchange, sendRequest } from '../../client/jobs/exchange.ts';
import { contentBody, jsonBody, type RequestBody } from '../../client/jobs/requestBody.ts';
import { addressOf, checkedJson } from '../../client/jobs/serviceCalls.ts';
import { throughOutage } from '../../client/jobs/waitFor.ts';
import { checkedToken, serviceAddress } from '../../client/serviceAccess.ts';
import { ProtocolError, UnreachableError } from '../../client/serviceErrors.ts';
import { ADMIN_SOCKET_NAME } from '../../protocol/admin.ts';
import type { DeskEndingJson } from '../../protocol/desk.ts';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import type { Context } from '../context.ts';
import { readBytes } from '../files/textFile.ts';
import type { AdminAccess } from '../flags/adminOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';

/** Milliseconds for which the service may be unreachable during its work: it may restart. */
const MAX_OUTAGE_MS = 300_000;

/** One call of the administration interface. */
export interface AdminCall {
  /** Action for messages, such as `create token`. */
  readonly action: string;
  /** Default: POST with a body, else GET. */
  readonly method?: Exchange['method'];
  /** Segments below the prefix. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, except for bytes. */
  readonly body?: object;
  /** Milliseconds until the answer. Default: that of the client. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Default `systemClock`. */
  readonly clock?: Clock;
  /** Schema of the answer. Default: any JSON. */
  readonly schema?: TSchema;
  /** Receives the data of the answer instead of JSON. */
  readonly save?: Exchange['save'];
}

/**
 * Calls the administration interface of a service, and resolves with its answer under the names of the wire; with `save`, with
 * undefined.
 *
 * @throws UnreachableError with advice; the errors of the client; InvalidArgumentError
 */
export async function adminCall<Answer>(access: AdminAccess, call: AdminCall): Promise<Answer> {
  const { action, path, query = {}, body, clock = systemClock, schema, signal, save } = call;
  const target = targetOf(access);
  const answer = await sendRequest({
    action,
    method: call.method ?? (body ? 'POST' : 'GET'),
    url: addressOf(target.address, [ADMIN_PREFIX, ...path.map(segmentOf)].join('/'), query),
    headers: target.headers,
    clock,
    timeoutMs: call.timeoutMs ?? CLIENT_DEFAULTS.timeoutMs,
    maxAnswerBytes: CLIENT_DEFAULTS.maxAnswerBytes,
    signal,
    save,
    socketPath: target.socketPath,
    body: bodyOf(body),
  }).catch(error => {
    throw target.socketPath !== undefined && error instanceof UnreachableError
      ? notRunning(access, error)
      : error;
  });
  if (answer.status >= 300) throw answerError(action, answer);
  if (answer.status === 204 || save) return undefined as Answer;
  return schema ? (checkedJson(schema, action, answer.text) as Answer) : parse(action, answer.text);
}

/** Finishes a human job with a file. */
export interface AdminWork extends Pick<AdminCall, 'action' | 'path' | 'query'> {
  /** Path, or `-` for standard input. */
  readonly file: string;
}

/**
 * Finishes a human job. The service continues the work after its first answer: this shows the progress and waits for the end,
 * also through outages once the service has accepted the job. An interruption ends only the wait.
 *
 * @throws as {@link adminCall}; RxscribeError `unreadable-input`
 */
export async function adminWork(context: Context, access: AdminAccess, options: AdminWork): Promise<void> {
  const { file, ...call } = options;
  const body = await readBytes(file, context.stdin);
  const work = async ({ signal, progress }: Work) => {
    progress.show(call.action);
    let tenths = 0;
    for (let isAccepted = false; ; isAccepted = true) {
      const maxOutageMs = isAccepted ? MAX_OUTAGE_MS : 0;
      const attempt = () => adminCall<DeskEndingJson | undefined>(access, { ...call, body, signal });
      const going = await throughOutage(attempt, { maxOutageMs, clock: systemClock, signal });
      if (!going) return;
      if (!isAccepted)
        progress.note(
          'The service has accepted the transcript. Unless it restarts, it finishes the job also without this command.',
        );
      progress.show(call.action, going.progress);
      const reached = Math.floor(10 * going.progress);
      if (!context.stderr.isTTY && reached > tenths) progress.note(`${call.action}: ${10 * reached} %`);
      tenths = Math.max(tenths, reached);
    }
  };
  const note = 'Interrupted. Run the same command again to wait for the same work.';
  await interruptible(context, work, { note });
}

/** @throws InvalidArgumentError for text that would lead to another path */
function segmentOf(text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new InvalidArgumentError(`'${text}' is not an id or an e-mail address.`);
}

function parse<Answer>(action: string, text: string): Answer {
  const json = jsonOf(text);
  if (json !== undefined) return json as Answer;
  throw new ProtocolError('protocol', `Cannot ${action}: the answer is not JSON.`, {
    advice: 'Check the address: another server answers there.',
  });
}

function bodyOf(body: object | undefined): RequestBody | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? contentBody(body, 'application/octet-stream') : jsonBody(body);
}

interface Target {
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly socketPath?: string;
}

function targetOf({ data, url, adminToken }: AdminAccess): Target {
  if (url === undefined) {
    return { address: new URL('http://localhost'), headers: {}, socketPath: join(data, ADMIN_SOCKET_NAME) };
  }
  if (adminToken === undefined) {
    throw new InvalidArgumentError('--url requires --admin-token (or RXSCRIBE_ADMIN_TOKEN).');
  }
  const headers = { authorization: `Bearer ${checkedToken(adminToken)}` };
  return { address: serviceAddress(url, 'http'), headers };
}

function notRunning({ data }: AdminAccess, cause: UnreachableError): UnreachableError {
  const { code } = cause.cause as NodeJS.ErrnoException;
  if (code === 'EACCES') {
    return new UnreachableError('unreachable', `The service of '${data}' belongs to another user.`, {
      advice: 'Run this command as the user that runs the service.',
      cause,
    });
  }
  return new UnreachableError('unreachable', `No service is running with the data directory '${data}'.`, {
    advice:
      "Start one with 'rxscribe serve', name its directory with --data, or another service with --url and --admin-token.",
    retry: true,
    cause,
  });
}
