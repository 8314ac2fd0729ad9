import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createDeskTrail } from '../../../src/service/desk/deskTrail.ts';
import { hashPassword, isPassword, PASSWORD_COST } from '../../../src/service/desk/passwords.ts';
import { settingsOf } from '../../../src/service/options.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  DESK_PASSWORD,
  deskAdministration,
  postLogIn,
} from '../../helpers/deskClient.ts';
import { FAST_PASSWORDS } from '../../helpers/fastPasswords.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { keptService } from '../../helpers/keptService.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import type { Answer } from '../../helpers/testService.ts';

const lines: string[] = [];
const logger = pino({ level: 'info' }, { write: line => lines.push(line) });
const proxied = keptService({ adminToken: DESK_ADMIN_TOKEN, trustProxy: ['loopback'], logger });
const direct = keptService({ adminToken: DESK_ADMIN_TOKEN, trustProxy: ['192.0.2.0/24'] });

interface LogIn {
  readonly password?: string;
  /** The header of proxies. */
  readonly from?: string;
  readonly cookie?: string;
}

function logInAt(
  service: typeof direct,
  name: string,
  { password = 'a wrong one', from, cookie }: LogIn,
): Promise<Answer> {
  return postLogIn(
    service(),
    { name, password },
    {
      ...(from !== undefined && { 'x-forwarded-for': from }),
      ...(cookie !== undefined && { cookie }),
    },
  );
}

const RIGHT = { password: DESK_PASSWORD };

/** Adds a user, and returns the cookie of a device from which the user has logged in. */
async function deviceOf(service: typeof direct, name: string): Promise<string> {
  await addPerson(service(), name);
  const answer = await logInAt(service, name, RIGHT);
  const cookie = answer.headers.getSetCookie().find(each => each.startsWith('__Host-desk-device-'));
  return cookie!.split(';')[0]!;
}

/**
 * Tries passwords until one is refused without being checked; on a slow machine, further ones become free meanwhile.
 *
 * @param make returns the name and the log-in of an attempt
 */
async function guess(
  service: typeof direct,
  make: (attempt: number) => readonly [string, LogIn],
  most = 60,
): Promise<number> {
  for (let attempt = 0; attempt < most; attempt++) {
    const { status } = await logInAt(service, ...make(attempt));
    if (status === 429) return attempt;
    expect(status).toBe(401);
  }
  return most;
}

describe('many wrong passwords for a name', () => {
  test('refuse the right one from the same address, but neither from another nor from a known device', async () => {
    const cookie = await deviceOf(proxied, 'ann');
    const from = '192.0.2.1';
    expect(await guess(proxied, () => ['ann', { from }])).toBeGreaterThanOrEqual(10);
    expect((await logInAt(proxied, 'ann', { ...RIGHT, from })).status).toBe(429);
    expect((await logInAt(proxied, 'ann', { ...RIGHT, from: '192.0.2.2' })).status).toBe(200);
    expect((await logInAt(proxied, 'ann', { ...RIGHT, from, cookie })).status).toBe(200);
    expect((await logInAt(proxied, 'ann', { ...RIGHT, from, cookie: `${cookie}x` })).status).toBe(429);
  });

  test('refuse no known device of a service that trusts no proxy', async () => {
    const cookie = await deviceOf(direct, 'ann');
    await guess(direct, () => ['ann', {}]);
    expect((await logInAt(direct, 'ann', RIGHT)).status).toBe(429);
    expect((await logInAt(direct, 'ann', { ...RIGHT, cookie })).status).toBe(200);
  });

  test('of a known device refuse that device alone', async () => {
    const cookie = await deviceOf(proxied, 'bob');
    const from = '192.0.2.3';
    expect(await guess(proxied, () => ['bob', { from, cookie }])).toBeGreaterThanOrEqual(10);
    expect((await logInAt(proxied, 'bob', { ...RIGHT, from, cookie })).status).toBe(429);
    expect((await logInAt(proxied, 'bob', { ...RIGHT, from })).status).toBe(200);
  });

  test('refuse a device of another user, or of an earlier password', async () => {
    const [cleo, dora] = [await deviceOf(proxied, 'cleo'), await deviceOf(proxied, 'dora')];
    const from = '192.0.2.4';
    await guess(proxied, () => ['dora', { from }]);
    const stolen = `${dora.split('=')[0]}=${cleo.split('=')[1]}`;
    expect((await logInAt(proxied, 'dora', { ...RIGHT, from, cookie: stolen })).status).toBe(429);
    expect((await logInAt(proxied, 'dora', { ...RIGHT, from, cookie: dora })).status).toBe(200);
    await deskAdministration(proxied(), 'POST', '/desk/users/dora/password', RIGHT);
    expect((await logInAt(proxied, 'dora', { ...RIGHT, from, cookie: dora })).status).toBe(429);
  });

  test('count as those of one address, whatever an untrusted peer forwards, or a proxy that is no address', async () => {
    await addPerson(direct(), 'eve');
    const forged = await guess(direct, n => ['eve', { from: `198.51.100.${n}` }]);
    expect(forged).toBeLessThan(60);
    const odd = await guess(proxied, n => ['eve', { from: `${'x'.repeat(5000)}${n}` }]);
    expect(odd).toBeLessThan(60);
  });
});

describe('many invented names', () => {
  test('from one address refuse nobody at another one, also while they are checked', {
    tags: 'slow',
  }, async () => {
    await addPerson(proxied(), 'fred');
    const from = '192.0.2.5';
    const guesses = Array.from({ length: 12 }, (_, n) => logInAt(proxied, `name-${n}`, { from }));
    const right = await logInAt(proxied, 'fred', { ...RIGHT, from: '192.0.2.6' });
    expect(right.status).toBe(200);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401).length).toBeGreaterThanOrEqual(8);
    await guess(proxied, n => [`name-${n}`, { from }], 300);
    expect((await logInAt(proxied, 'fred', { ...RIGHT, from })).status).toBe(429);
    expect((await logInAt(proxied, 'fred', { ...RIGHT, from: '192.0.2.6' })).status).toBe(200);
  });

  test('leave the events of people in the list', async () => {
    // Recent times: older events are removed.
    let nowMs = Date.now();
    await using store = openJobStore({ dataDirectory: await dataDirectory() });
    const trail = createDeskTrail(store.store.opened, () => new Date(nowMs++));
    await trail.add('gina', 'log out');
    for (let n = 0; n < 120; n++) await trail.addFailure({ user: `name-${n}`, address: '198.51.100.1' });
    const events = await trail.events();
    expect(events).toHaveLength(101);
    const names = events.map(({ user }) => user);
    expect(names).toEqual(expect.arrayContaining(['gina', 'name-20', 'name-119']));
    expect(names).not.toContain('name-19');
  });
});

describe('a log-in that failed', () => {
  test('is in the events and in the log with its name, escaped, and its address, and without the password', async () => {
    lines.length = 0;
    const password = 'a secret that is wrong';
    await logInAt(proxied, '<b>\u202Eann"', { password, from: '2001:db8::5' });
    const [event] = (await deskAdministration(proxied(), 'GET', '/desk/events')).json();
    const user = '<b>\\u202eann\\"';
    expect(event).toEqual({ on: expect.any(String), user, action: 'fail to log in', address: '2001:db8::5' });
    const logged = lines.map(line => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({ user, address: '2001:db8::5', msg: 'log-in at the desk failed' }),
    );
    expect(logged).toContainEqual(
      expect.objectContaining({ route: '/desk/api/session', status: 401, address: '2001:db8::5' }),
    );
    expect(lines.join('')).not.toContain(password);
    expect((await logInAt(proxied, 'n'.repeat(65), {})).status).toBe(400);
  });
});

describe('the hash of a password', () => {
  test('has the cost that OWASP recommends, unless the service was created with another one', async () => {
    const { passwordCost } = settingsOf({ recognizer: createScriptedRecognizer() });
    expect(await hashPassword('correct horse', passwordCost)).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(await hashPassword('correct horse', FAST_PASSWORDS)).toMatch(/^scrypt\$16\$1\$1\$/);
  });

  test('is verified at its own cost', async () => {
    const stored = await hashPassword('correct horse', FAST_PASSWORDS);
    expect(await isPassword('correct horse', stored, PASSWORD_COST)).toBe(true);
    expect(await isPassword('wrong horse', stored, PASSWORD_COST)).toBe(false);
    expect(await isPassword('', undefined, FAST_PASSWORDS)).toBe(false);
  });

  test('is that of all spellings of its characters', async () => {
    const stored = await hashPassword('caf\u00e9', FAST_PASSWORDS);
    expect(await isPassword('cafe\u0301', stored, FAST_PASSWORDS)).toBe(true);
  });
});
