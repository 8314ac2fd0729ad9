import { beforeAll, expect } from 'vitest';
import type { Service } from '../../src/service/app.ts';
import { eventually } from './eventually.ts';
import { keptService, postMedia, speechFile } from './keptService.ts';
import { createScriptedAligner } from './scriptedAligner.ts';
import { createScriptedDiarizer } from './scriptedDiarizer.ts';
import { type Answer, request } from './testService.ts';

export const DESK_ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
export const DESK_PASSWORD = 'correct horse battery';

/** A recording of two voices: the loud words are those of the second. */
export const TWO_VOICES = speechFile([4, 7, 0, 0, 0, 104, 107, 0, 0, 0, 5, 6]);

/** A service for the desk that all tests of a file share, which finds times and speakers, with a transcriber, `ann`. */
export function keptDesk(): () => Service {
  const service = keptService({
    adminToken: DESK_ADMIN_TOKEN,
    aligner: createScriptedAligner(),
    diarizer: createScriptedDiarizer(),
  });
  beforeAll(() => addPerson(service(), 'ann'));
  return service;
}

/** A person at the desk, with a session of their own. */
export interface DeskPerson {
  /** Sends a call below `/desk/api`, with a body in JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  readonly cookie: string;
  readonly token: string;
}

/** Sends a request without the token of a customer. */
export function deskRequest(
  service: Pick<Service, 'url'>,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Answer> {
  return request(service, path, { ...init, headers: { authorization: '', ...init.headers } });
}

/** Sends a call of administration to a service with {@link DESK_ADMIN_TOKEN}. */
export function deskAdministration(
  service: Pick<Service, 'url'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return request(service, `/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${DESK_ADMIN_TOKEN}`, ...typeOf(body) },
    body: JSON.stringify(body),
  });
}

const typeOf = (body: unknown): Record<string, string> =>
  body === undefined ? {} : { 'content-type': 'application/json' };

export async function addPerson(
  service: Pick<Service, 'url'>,
  name: string,
  role: 'transcriber' | 'admin' = 'transcriber',
): Promise<DeskPerson> {
  const user = { name, role, password: DESK_PASSWORD };
  const { status } = await deskAdministration(service, 'POST', '/desk/users', user);
  // A test that is repeated finds its people there.
  expect([200, 400]).toContain(status);
  return logIn(service, name);
}

/** Sends a log-in. */
export function postLogIn(
  service: Pick<Service, 'url'>,
  logIn: { readonly name: string; readonly password: string },
  headers?: Record<string, string>,
): Promise<Answer> {
  return deskRequest(service, '/desk/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(logIn),
  });
}

export async function logIn(service: Pick<Service, 'url'>, name: string): Promise<DeskPerson> {
  const answer = await postLogIn(service, { name, password: DESK_PASSWORD });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const { token } = answer.json();
  return {
    cookie,
    token,
    call: (method, path, body, headers = {}) =>
      deskRequest(service, `/desk/api${path}`, {
        method,
        headers: {
          cookie,
          ...(method !== 'GET' && { 'x-desk-token': token }),
          ...typeOf(body),
          ...headers,
        },
        body: JSON.stringify(body),
      }),
  };
}

/** Submits a human job, and returns its id when its machine part is done. */
export async function waitingHumanJob(
  service: Pick<Service, 'url'>,
  options: object = {},
  media: Uint8Array = speechFile(),
): Promise<string> {
  const submitted = await postMedia(service, '/speechtotext/v1/jobs', media, {
    transcriber: 'human',
    ...options,
  });
  expect(submitted.status).toBe(200);
  const { id } = submitted.json();
  await eventually(async () => {
    const waiting = (await deskAdministration(service, 'GET', '/human-jobs?limit=1000')).json();
    expect(waiting.map((job: { id: string }) => job.id)).toContain(id);
  });
  return id;
}
