import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { TOKEN_FRESH_MS } from '../../../src/service/accounts/tokenMemory.ts';
import { TOKEN_CHECK_MS } from '../../../src/service/live/admission.ts';
import { DESK_ADMIN_TOKEN, deskAdministration } from '../../helpers/deskClient.ts';
import { keptService, postMedia } from '../../helpers/keptService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';

const ACCOUNT = '/speechtotext/v1/account';
const JOBS = '/speechtotext/v1/jobs';

const lines: string[] = [];
const service = keptService({
  allowPrivateAddresses: true,
  adminToken: DESK_ADMIN_TOKEN,
  logger: pino({}, { write: line => void lines.push(line) }),
});

/** Sends a request of an operator. */
const admin = (method: string, path: string, body?: unknown) =>
  deskAdministration(service(), method, path, body);

let accounts = 0;

/** Creates an account with a token. */
async function newAccount(creditSeconds = 1000) {
  const email = `user${accounts++}@example.org`;
  const { id } = (await admin('POST', '/accounts', { email, credit_seconds: creditSeconds })).json();
  const { token, id: tokenId } = (await admin('POST', `/accounts/${id}/tokens`, { name: 'first' })).json();
  return { id, email, token, tokenId, headers: { authorization: `Bearer ${token}` } };
}

describe('an operator', () => {
  test('creates an account, without credit by default', async () => {
    const { status, json } = await admin('POST', '/accounts', { email: 'new@example.org' });
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{12,16}$/),
      email: 'new@example.org',
      balance_seconds: 0,
      reserved_seconds: 0,
      created_on: expect.stringMatching(/Z$/),
      settings: {
        email: 'new@example.org',
        has_signing_secret: false,
        limits: { streams: 10, jobs_in_progress: 20_000, requests_per_second: 50, request_burst: 200 },
      },
    });
    expect((await admin('GET', '/accounts/new@example.org')).json()).toEqual(json());
    expect((await admin('GET', `/accounts/${json().id}/`)).json()).toEqual(json());
  });

  test('creates only one account per e-mail address', async () => {
    const { email } = await newAccount();
    const { status, json } = await admin('POST', '/accounts', { email });
    expect(status).toBe(400);
    expect(json().parameters).toEqual({ email: ['has an account already'] });
  });

  test('lists accounts page by page', async () => {
    await newAccount();
    await newAccount();
    const all = (await admin('GET', '/accounts?limit=1000')).json();
    expect(all.length).toBeGreaterThan(2);
    const paged = [];
    let after = '';
    for (;;) {
      const [next] = (
        await admin('GET', `/accounts?limit=1&starting_after=${encodeURIComponent(after)}`)
      ).json();
      if (!next) break;
      paged.push(next);
      after = next.email;
    }
    expect(paged).toEqual(all);
  });

  test('creates and revokes tokens, with immediate effect', async () => {
    const { id, token, tokenId, headers } = await newAccount();
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect((await request(service(), ACCOUNT, { headers })).status).toBe(200);
    const second = (await admin('POST', `/accounts/${id}/tokens`)).json();
    const { text, json } = await admin('GET', `/accounts/${id}/tokens`);
    expect(json()).toEqual([
      { id: tokenId, name: 'first', created_on: expect.any(String), last_used_on: expect.any(String) },
      { id: second.id, created_on: expect.any(String) },
    ]);
    expect(text).not.toContain(token);
    expect((await admin('DELETE', `/accounts/${id}/tokens/${tokenId}`)).status).toBe(204);
    expect((await admin('DELETE', `/accounts/${id}/tokens/${tokenId}`)).status).toBe(404);
    expect((await request(service(), ACCOUNT, { headers })).status).toBe(401);
    const others = { headers: { authorization: `Bearer ${second.token}` } };
    expect((await request(service(), ACCOUNT, others)).status).toBe(200);
  });

  test('ends the open streams of a revoked token, and no others', async () => {
    const { id, token, tokenId } = await newAccount();
    const second = (await admin('POST', `/accounts/${id}/tokens`)).json();
    const [ended, other] = [token, second.token].map(access_token =>
      connectStream(service(), { access_token }),
    );
    await Promise.all([ended!.connected, other!.connected]);
    ended!.send(scriptedSpeech([4, 7, 0, 0, 0, 9]));
    await ended!.message(({ type }) => type === 'final');
    await admin('DELETE', `/accounts/${id}/tokens/${tokenId}`);
    expect(await ended!.closed).toEqual({ code: 4001, reason: 'Unauthorized' });
    // Another service may have revoked it too.
    expect(2 * TOKEN_CHECK_MS + TOKEN_FRESH_MS).toBeLessThan(10_000);
    expect((await other!.finish()).code).toBe(1000);
    const headers = { authorization: `Bearer ${second.token}` };
    const kept = await request(service(), `${JOBS}/${await ended!.connected}`, { headers });
    expect(kept.json()).toMatchObject({ status: 'transcribed' });
  });

  test('adds and removes credit', async () => {
    const { id, headers } = await newAccount(10.9);
    const balance = async () => (await request(service(), ACCOUNT, { headers })).json().balance_seconds;
    expect(await balance()).toBe(10);
    const { json } = await admin('POST', `/accounts/${id}/credit`, { seconds: 5 });
    expect(json()).toMatchObject({ id, balance_seconds: 15 });
    expect(await balance()).toBe(15);
    await admin('POST', `/accounts/${id}/credit`, { seconds: -15.9 });
    expect(await balance()).toBe(0);
  });

  test('changes settings one by one', async () => {
    const { id, email } = await newAccount();
    const settings = `/accounts/${id}/settings`;
    const change = {
      delete_after_seconds: 0,
      signing_secret: 'new',
      limits: { streams: 2, requests_per_second: 0.5 },
    };
    const { status, json } = await admin('PATCH', settings, change);
    const limits = { streams: 2, jobs_in_progress: 20_000, requests_per_second: 0.5, request_burst: 200 };
    const kept = {
      email,
      delete_after_seconds: 0,
      has_signing_secret: true,
      limits,
    };
    const secret = json().signing_secret;
    expect([status, json()]).toEqual([200, { ...kept, signing_secret: expect.stringMatching(/^\w{43}$/) }]);
    expect((await admin('GET', settings)).json()).toEqual(kept);
    expect((await admin('PATCH', settings, {})).json()).toEqual(kept);
    const rotated = (await admin('PATCH', settings, { signing_secret: 'new' })).json().signing_secret;
    expect(rotated).not.toBe(secret);
    const none = { delete_after_seconds: null, signing_secret: null, limits: { streams: null } };
    expect((await admin('PATCH', settings, none)).json()).toEqual({
      email,
      has_signing_secret: false,
      limits: { ...limits, streams: 10 },
    });
    for (const word of [secret, rotated]) expect(lines.join('')).not.toContain(word);
  });

  test.each([
    ['POST', '/accounts', { email: 'nobody', credit_seconds: -1 }, ['credit_seconds', 'email']],
    ['POST', '/accounts', {}, ['email']],
    ['POST', '/accounts', [], ['request']],
    ['POST', '/accounts', { email: 'a@b', balance: 7 }, ['balance']],
    ['GET', '/accounts?limit=1001', undefined, ['limit']],
    ['POST', '/accounts/owner/credit', { seconds: '7' }, ['seconds']],
    ['POST', '/accounts/owner/tokens', { name: '' }, ['name']],
    ['POST', '/accounts/owner/tokens', { name: 'a\0' }, ['name']],
    ['POST', '/accounts', { email: 'a\0@b' }, ['email']],
    ['GET', '/accounts?starting_after=%00', undefined, ['starting_after']],
    [
      'PATCH',
      '/accounts/owner/settings',
      {
        delete_after_seconds: 2_592_001,
        signing_secret: 'my own',
        limits: { streams: 1.5, request_burst: 0, x: 1 },
      },
      ['delete_after_seconds', 'limits.request_burst', 'limits.streams', 'limits.x', 'signing_secret'],
    ],
  ])('gets all faults at once: %s %s %j', async (method, path, body, names) => {
    const { status, json } = await admin(method, path, body);
    expect(status).toBe(400);
    expect(json().title).toBe("Your request parameters didn't validate");
    expect(Object.keys(json().parameters).sort()).toEqual(names);
    expect(json().parameter).toEqual(json().parameters);
  });

  test.each(['', '/credit', '/settings', '/tokens'])('gets a 404 for an unknown account%s', async path => {
    const method = path === '/credit' ? 'POST' : 'GET';
    for (const account of ['nobody', 'nobody@example.org', '%00', '..%2fowner']) {
      const { status, json } = await admin(method, `/accounts/${account}${path}`);
      expect([status, json().title]).toEqual([404, 'Not found']);
    }
  });

  test('causes a log line for each action, without secret or private data', async () => {
    const before = lines.length;
    const { id, token, tokenId, email } = await newAccount(7);
    await admin('POST', `/accounts/${email}/credit`, { seconds: 3 });
    await admin('PATCH', `/accounts/${id}/settings`, { limits: { streams: 1 }, signing_secret: 'new' });
    await admin('DELETE', `/accounts/${id}/tokens/${tokenId}`);
    const written = lines.slice(before).map(line => JSON.parse(line));
    const audited = written.filter(({ msg }) => msg === 'administration');
    expect(audited.map(({ level, time, pid, hostname, request, msg, ...details }) => details)).toEqual([
      { action: 'create account', account: id, creditSeconds: 7 },
      { action: 'create token', account: id, tokenId },
      { action: 'add credit', account: id, seconds: 3 },
      { action: 'change settings', account: id, changed: ['signing_secret', 'streams'] },
      { action: 'revoke token', account: id, tokenId },
    ]);
    for (const secret of [token, email, DESK_ADMIN_TOKEN])
      expect(JSON.stringify(written)).not.toContain(secret);
  });
});

describe('settings of an operator apply', () => {
  test('to the streams of an account', async () => {
    const { id, token } = await newAccount();
    await admin('PATCH', `/accounts/${id}/settings`, { limits: { streams: 1 } });
    const first = await connectedStream(service(), { access_token: token });
    const refused = connectStream(service(), { access_token: token });
    expect((await refused.closed).code).toBe(4029);
    await admin('PATCH', `/accounts/${id}/settings`, { limits: { streams: 2 } });
    expect(await connectStream(service(), { access_token: token }).connected).toBeDefined();
    first.socket.terminate();
  });

  test('to the requests of an account', async () => {
    const { id, headers } = await newAccount();
    const limits = { requests_per_second: 0.01, request_burst: 1 };
    await admin('PATCH', `/accounts/${id}/settings`, { limits });
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await request(service(), ACCOUNT, { headers })).status);
    expect(statuses).toEqual([200, 429]);
  });

  test('to the jobs of an account', async () => {
    const { id, headers } = await newAccount();
    const submit = () => request(service(), JOBS, { method: 'POST', headers });
    expect((await submit()).status).toBe(400);
    await admin('PATCH', `/accounts/${id}/settings`, { limits: { jobs_in_progress: 0 } });
    const refused = await submit();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await request(service(), JOBS, { headers })).status).toBe(200);
  });

  test('to a running stream, which continues with added credit', async () => {
    const { id, token } = await newAccount(1);
    const stream = await connectedStream(service(), { access_token: token });
    stream.send(scriptedSpeech(new Array(8).fill(4)));
    await stream.message(({ type }) => type === 'partial');
    await admin('POST', `/accounts/${id}/credit`, { seconds: 10 });
    stream.send(scriptedSpeech(new Array(50).fill(4)));
    expect((await stream.finish()).code).toBe(1000);
    const poor = await newAccount(1);
    const ended = await connectedStream(service(), { access_token: poor.token });
    ended.send(scriptedSpeech(new Array(50).fill(4)));
    expect((await ended.closed).code).toBe(4003);
  });
});

test('a job of one account does not exist for another', async () => {
  const [owner, other] = [await newAccount(), await newAccount()];
  const { id } = (await postMedia(service(), JOBS, undefined, {}, owner.headers)).json();
  const seen = ({ headers }: typeof owner, path: string, method = 'GET') =>
    request(service(), `${JOBS}/${path}`, { method, headers: { ...headers, accept: 'text/plain' } });
  for (const answer of [
    await seen(other, id),
    await seen(other, `${id}/transcript`),
    await seen(other, id, 'DELETE'),
  ]) {
    expect(answer.status).toBe(404);
  }
  expect((await seen(owner, id)).status).toBe(200);
});
