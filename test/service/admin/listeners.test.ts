import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { MAX_SOCKET_PATH_BYTES } from '../../../src/service/admin/adminSocket.ts';
import { overSocket } from '../../helpers/adminClient.ts';
import { copiedDatabase, dataDirectory, sharedDirectory } from '../../helpers/dataDirectory.ts';
import { keptService } from '../../helpers/keptService.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const ACCOUNTS = '/admin/v1/accounts';
const data = sharedDirectory();
const service = keptService({ dataDirectory: data, adminToken: ADMIN_TOKEN });
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('the admin socket', () => {
  test('is open only to the owner of the service, and removed when the service closes', async () => {
    const directory = await dataDirectory();
    const service = await startTestService({ dataDirectory: directory });
    const path = join(directory, 'admin.sock');
    expect(statSync(path).isSocket()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await overSocket(directory, 'GET', ACCOUNTS)).json()).toMatchObject([{ id: 'owner' }]);
    expect(readdirSync(directory).filter(name => name.startsWith('.a'))).toEqual([]);
    await service.close();
    expect(existsSync(path)).toBe(false);
  });

  test('serves nothing but administration', async () => {
    for (const path of [
      '/health/live',
      '/speechtotext/v1/account',
      '/speechtotext/v1/jobs',
      '/openapi.json',
      '/',
    ]) {
      expect((await overSocket(data, 'GET', path)).status).toBe(404);
    }
  });

  test('replaces one left by a killed service', { tags: 'slow' }, async () => {
    const directory = await dataDirectory();
    const killed = await startServiceProcess({ dataDirectory: directory });
    expect((await overSocket(directory, 'GET', ACCOUNTS)).status).toBe(200);
    await killed.end('SIGKILL');
    await expect(overSocket(directory, 'GET', ACCOUNTS)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await startTestService({ dataDirectory: directory });
    expect((await overSocket(directory, 'GET', ACCOUNTS)).status).toBe(200);
  });

  test('replaces a file', async () => {
    const directory = await dataDirectory();
    writeFileSync(join(directory, 'admin.sock'), '');
    await startTestService({ dataDirectory: directory });
    expect((await overSocket(directory, 'GET', ACCOUNTS)).status).toBe(200);
  });

  test('may have a path as long as the system allows; a longer one is reported in the log', {
    tags: 'slow',
  }, async () => {
    const base = sharedDirectory();
    const directoryOf = (bytes: number) =>
      copiedDatabase(join(base, 'x'.repeat(bytes - base.length - '//admin.sock'.length)));
    const lines: string[] = [];
    const logger = pino({}, { write: line => void lines.push(line) });
    const fitting = await directoryOf(MAX_SOCKET_PATH_BYTES);
    await startTestService({ dataDirectory: fitting, logger });
    expect((await overSocket(fitting, 'GET', ACCOUNTS)).status).toBe(200);
    expect(lines.join('')).not.toContain('administration over a socket is not available');
    const tooLong = await directoryOf(MAX_SOCKET_PATH_BYTES + 1);
    const service = await startTestService({ dataDirectory: tooLong, logger, adminToken: ADMIN_TOKEN });
    expect(existsSync(join(tooLong, 'admin.sock'))).toBe(false);
    const warning = lines.map(line => JSON.parse(line)).find(({ level }) => level === 40);
    expect(warning.msg).toMatch(/^administration over a socket is not available/);
    expect(warning.err.message).toMatch(/at most \d+ bytes, not \d+\. /);
    expect((await request(service, ACCOUNTS, withToken(ADMIN_TOKEN))).status).toBe(200);
  });
});

describe('administration over the network', () => {
  test('is not available without an admin token', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const unknown = await request(service, '/unknown/v1/accounts');
    for (const method of ['GET', 'POST']) {
      const answer = await request(service, ACCOUNTS, { method });
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
  });

  test('requires the admin token, not that of an account', async () => {
    expect((await request(service(), ACCOUNTS, withToken(ADMIN_TOKEN))).json()).toMatchObject([
      { id: 'owner' },
    ]);
    for (const init of [{}, withToken(`${ADMIN_TOKEN}x`), { headers: { authorization: '' } }]) {
      const { status, headers, json } = await request(service(), ACCOUNTS, init);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(json().title).toBe('Authorization has been denied for this request.');
    }
    expect((await request(service(), '/speechtotext/v1/account', withToken(ADMIN_TOKEN))).status).toBe(401);
  });

  test('makes a client that guesses tokens wait, and accepts the right one', { tags: 'slow' }, async () => {
    const limits = { guesses: { perSecond: 0.001, burst: 2 } };
    const service = await startTestService({
      dataDirectory: await dataDirectory(),
      adminToken: ADMIN_TOKEN,
      limits,
    });
    const statuses = [];
    for (const guess of ['a', 'b', 'c'])
      statuses.push((await request(service, ACCOUNTS, withToken(guess))).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await request(service, ACCOUNTS, withToken(ADMIN_TOKEN))).status).toBe(200);
  });

  test.each(['x'.repeat(31), `${'x'.repeat(31)} `, `${'x'.repeat(31)}é`])(
    'does not begin with the token "%s"',
    async adminToken => {
      await expect(startTestService({ dataDirectory: undefined, adminToken })).rejects.toMatchObject({
        code: 'invalid-argument',
        message: expect.not.stringContaining('xxx'),
      });
    },
  );

  test('is not available for accounts from elsewhere', async () => {
    await expect(startTestService({ adminToken: ADMIN_TOKEN })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });
});
