import fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Desk } from '../../../src/service/desk/desk.ts';
import { createDeskSessions } from '../../../src/service/desk/deskSessions.ts';
import { createDeskUsers } from '../../../src/service/desk/deskUsers.ts';
import { deskRoutes } from '../../../src/service/desk/http/deskRoutes.ts';
import { inScope } from '../../../src/service/http/inScope.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  DESK_PASSWORD,
  type DeskPerson,
  deskAdministration,
  deskRequest,
  logIn,
  postLogIn,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import { FAST_PASSWORDS } from '../../helpers/fastPasswords.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { keptService } from '../../helpers/keptService.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN, trustProxy: ['loopback'] });
/** A client behind the proxy. */
const FORWARDED = { 'x-forwarded-for': '192.0.2.1' };

const TURNS = [{ speaker: 0, text: 'Mine.', words: [] }];
const LOG_IN = { name: 'holder', password: DESK_PASSWORD };

/** Bodies of the calls that need one. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /session': LOG_IN,
  'PATCH /jobs/:id/draft': { revision: 0, from: 0, to: 1, turns: TURNS },
  'POST /jobs/:id/proposals': { phrase: 'Ada' },
  'POST /jobs/:id/finish': { revision: 0 },
};

/**
 * The status of each call below `/desk/api`: without a session, with the token of a customer, of a transcriber without the
 * claim of the job, of the one who has it, and of an admin without it.
 */
const MATRIX: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  'POST /session': [200, 200, 200, 200, 200],
  'GET /session': [401, 401, 200, 200, 200],
  'DELETE /session': [401, 401, 204, 204, 204],
  'GET /jobs': [401, 401, 200, 200, 200],
  'GET /jobs/:id': [401, 401, 409, 200, 409],
  'POST /jobs/:id/claim': [401, 401, 409, 200, 409],
  // Nobody but an admin ends the claim of another person; the call itself has nothing to hide.
  'POST /jobs/:id/release': [401, 401, 204, 204, 204],
  'GET /jobs/:id/draft': [401, 401, 409, 200, 409],
  'GET /jobs/:id/machine': [401, 401, 409, 200, 409],
  'PATCH /jobs/:id/draft': [401, 401, 409, 200, 409],
  'GET /jobs/:id/peaks': [401, 401, 409, 200, 409],
  'POST /jobs/:id/audio': [401, 401, 409, 200, 409],
  'POST /jobs/:id/proposals': [401, 401, 409, 204, 409],
  'POST /jobs/:id/finish': [401, 401, 409, 204, 409],
  'GET /finished': [401, 401, 200, 200, 200],
  'GET /figures': [401, 401, 403, 403, 200],
  'GET /events': [401, 401, 403, 403, 200],
  'GET /proposals': [401, 401, 403, 403, 200],
  'GET /users': [401, 401, 403, 403, 200],
  'GET /other': [401, 401, 404, 404, 404],
  'POST /other': [401, 401, 404, 404, 404],
};

const WHO = ['nobody', 'a customer', 'a transcriber', 'the holder of the claim', 'an admin'] as const;
const NAMES = [undefined, undefined, 'other', 'holder', 'chief'] as const;

const cells = Object.entries(MATRIX).flatMap(([call, statuses]) =>
  statuses.map((status, index) => ({ call, status, index, who: WHO[index]! })),
);

beforeAll(async () => {
  await addPerson(service(), 'holder');
  await addPerson(service(), 'other');
  await addPerson(service(), 'chief', 'admin');
});

/** A job with a claim of one person, which the tests of that person share until one of them ends the claim. */
let held: { readonly id: string; readonly holder: DeskPerson } | undefined;

async function heldJob(call: string): Promise<{ readonly id: string; readonly holder: DeskPerson }> {
  if (held) return held;
  const id = await waitingHumanJob(service());
  const holder = await session('holder');
  expect((await holder.call('POST', `/jobs/${id}/claim`)).status).toBe(200);
  expect((await holder.call('GET', `/jobs/${id}/draft`)).status).toBe(200);
  held = /session|release|finish|PATCH/.test(call) ? undefined : { id, holder };
  return { id, holder };
}

const people = new Map<string, DeskPerson>();

/** Log-ins are limited, so sessions are shared. */
async function session(name: string, isEnded = false): Promise<DeskPerson> {
  const person = people.get(name) ?? (await logIn(service(), name));
  if (isEnded) people.delete(name);
  else people.set(name, person);
  return person;
}

describe('a call of the desk', () => {
  test.each(cells)('$call of $who answers $status', async ({ call, status, index }) => {
    const [method, path] = call.split(' ') as [string, string];
    if (/release|finish|PATCH/.test(call)) held = undefined;
    const { id } = path.includes(':id') ? await heldJob(call) : { id: '' };
    const body = BODIES[call];
    const address = path.replace(':id', id);
    const name = NAMES[index];
    const isAnonymous = name === undefined || call === 'POST /session';
    const answer = isAnonymous
      ? await deskRequest(service(), `/desk/api${address}`, {
          method,
          headers: {
            ...FORWARDED,
            ...(index === 1 && { authorization: `Bearer ${TEST_TOKEN}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      : await (await session(name, call === 'DELETE /session')).call(method, address, body, FORWARDED);
    expect(answer.status).toBe(status);
  });

  test('with effects is refused without its token, and with that of another session', async () => {
    const { id, holder } = await heldJob('');
    const other = await session('other');
    const calls = Object.keys(MATRIX).filter(call => !/^GET|POST \/session$/.test(call));
    expect(calls.length).toBeGreaterThan(7);
    for (const call of calls) {
      const [method, path] = call.split(' ') as [string, string];
      for (const token of ['', other.token]) {
        const headers = { 'x-desk-token': token };
        const answer = await holder.call(method, path.replace(':id', id), BODIES[call], headers);
        expect([call, token, answer.status]).toEqual([call, token, 403]);
      }
    }
  });

  test('is in the table', async () => {
    const routes = new Set<string>();
    const app = fastify();
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`);
    });
    const context = { clock: {} };
    const desk = { context } as unknown as Desk;
    inScope(app, scope => deskRoutes(scope, { desk, limits: LIMIT_DEFAULTS.http }));
    await app.ready();
    const api = [...routes].filter(route => route.includes(' /desk/api/') && !/^HEAD|\*$/.test(route));
    const calls = api.map(route => route.replace('/desk/api', ''));
    expect(calls.filter(call => !(call in MATRIX))).toEqual([]);
    expect(calls.length).toBe(Object.keys(MATRIX).length - 2);
    await app.close();
  });
});

describe('the page', () => {
  test('is sent to anybody, with a strict policy', async () => {
    const moved = await deskRequest(service(), '/desk');
    expect([moved.status, moved.headers.get('location')]).toEqual([302, './desk/']);
    const page = await deskRequest(service(), '/desk/');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    const [, nonce] = /'nonce-([^']+)'/.exec(policy)!;
    expect(page.text).toContain(`nonce="${nonce}"`);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    const [script] = /assets\/[\w.-]+\.js/.exec(page.text)!;
    expect((await deskRequest(service(), `/desk/${script}`)).status).toBe(200);
    expect((await deskRequest(service(), '/desk/assets/../desk.html')).status).toBe(404);
    expect((await deskRequest(service(), '/desk/assets/none.js')).status).toBe(404);
  });

  test('does not exist in the EU', async () => {
    const eu = await startTestService({ region: 'eu', dataDirectory: await dataDirectory() });
    await eu.ready;
    for (const path of ['/desk', '/desk/', '/desk/assets/a.js', '/desk/api/session', '/desk/api/jobs']) {
      const answer = await deskRequest(eu, path);
      expect([path, answer.status, answer.json().title]).toEqual([
        path,
        404,
        'This api is not supported in this deployment',
      ]);
    }
  });
});

describe('a session', () => {
  test('has a cookie that scripts, other sites and open connections never get', async () => {
    const answer = await postLogIn(service(), LOG_IN);
    const [cookie, device] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-desk=\w{43}; /);
    expect(device).toMatch(/^__Host-desk-device-[0-9a-f]{16}=\w{43}\.[\w-]{43}; Max-Age=34560000; /);
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']) {
      expect(cookie).toContain(part);
      expect(device).toContain(part);
    }
    expect(cookie).not.toMatch(/Domain|Max-Age|Expires/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('ends when its user is disabled, or gets another password', async () => {
    const eve = await addPerson(service(), 'eve');
    const status = async (person: DeskPerson) => (await person.call('GET', '/session')).status;
    expect(await status(eve)).toBe(200);
    expect((await deskAdministration(service(), 'POST', '/desk/users/eve/disable')).status).toBe(204);
    expect(await status(eve)).toBe(401);
    const refused = await postLogIn(service(), { name: 'eve', password: DESK_PASSWORD });
    expect(refused.status).toBe(401);
    const password = { password: DESK_PASSWORD };
    await deskAdministration(service(), 'POST', '/desk/users/eve/password', password);
    const again = await logIn(service(), 'eve');
    expect(await status(again)).toBe(200);
    await deskAdministration(service(), 'POST', '/desk/users/eve/password', password);
    expect(await status(again)).toBe(401);
  });

  test('does not begin with a password that is changed while it is checked', async () => {
    await using store = openJobStore({ dataDirectory: await dataDirectory() });
    const { opened } = store.store;
    const now = () => new Date();
    const [users, sessions] = [createDeskUsers(opened, now, FAST_PASSWORDS), createDeskSessions(opened, now)];
    await users.add({ name: 'fred', role: 'transcriber' }, DESK_PASSWORD);
    const known = await users.authenticate('fred', DESK_PASSWORD);
    await users.setPassword('fred', DESK_PASSWORD);
    expect(await sessions.begin(known!)).toBeUndefined();
    const again = await users.authenticate('fred', DESK_PASSWORD);
    await users.disable('fred');
    expect(await sessions.begin(again!)).toBeUndefined();
  });
});
