import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_SOCKET_PATH_BYTES } from '../../../src/service/admin/adminSocket.ts';
import { overSocket } from '../../helpers/adminClient.ts';
import { copiedDatabase, dataDirectory, sharedDirectory } from '../../helpers/dataDirectory.ts';
import { keptService } from '../../helpers/keptService.ts';
import type { LimitedServiceOptions } from '../../helpers/limitedService.ts';
import { startObservedService } from '../../helpers/observedService.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { connectedStream } from '../../helpers/streamClient.ts';
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

async function start(options: Partial<LimitedServiceOptions> = {}) {
  const service = await startObservedService({ dataDirectory: await dataDirectory(), ...options });
  onTestFinished(() => service.close());
  const operators = { url: service.adminUrl! };
  const statusOf = async (path: string, token?: string) => {
    const headers = { authorization: token === undefined ? '' : `Bearer ${token}` };
    return (await request(operators, path, { headers })).status;
  };
  return { service, operators, statusOf };
}

describe('the listener for operators', () => {
  test('needs a token for administration only, and serves nothing else', async () => {
    const { statusOf, service } = await start({ adminToken: ADMIN_TOKEN });
    await service.ready;
    expect(await statusOf('/health/live')).toBe(200);
    expect(await statusOf('/health/ready')).toBe(200);
    expect(await statusOf('/metrics')).toBe(200);
    expect([await statusOf(ACCOUNTS), await statusOf(ACCOUNTS, ADMIN_TOKEN)]).toEqual([401, 200]);
    for (const path of ['/', '/speechtotext/v1/jobs', '/speechtotext/v1/account', '/openapi.json']) {
      expect([path, await statusOf(path, ADMIN_TOKEN)]).toEqual([path, 404]);
    }
  });

  test('has no administration without an admin token, and the main listener no metrics', async () => {
    const { statusOf, service } = await start();
    expect(await statusOf(ACCOUNTS, ADMIN_TOKEN)).toBe(404);
    expect((await request(service, '/metrics')).status).toBe(404);
  });

  test('is not read under the name of a web site that leads to the loopback address', async () => {
    const { operators } = await start();
    const inner = await start({ adminHost: '0.0.0.0' });
    const statusAt = async (url: string, host: string) => {
      const port = Number(new URL(url).port);
      const answer = await rawRequest(
        { port },
        'GET /metrics HTTP/1.1',
        `Host: ${host}`,
        'Connection: close',
      );
      return answer.split(' ')[1];
    };
    expect(await statusAt(operators.url, 'evil.example')).toBe('403');
    expect(await statusAt(operators.url, 'localhost:9464')).toBe('200');
    expect(await statusAt(inner.operators.url, 'metrics.example.org')).toBe('200');
  });

  test('names the parts that are not ready', async () => {
    const recognizer = { ...createScriptedRecognizer(), warm: () => new Promise<void>(() => {}) };
    const { operators } = await start({ recognizer });
    const { status, json } = await request(operators, '/health/ready');
    expect([status, json().detail]).toEqual([503, expect.stringContaining('recogniser')]);
  });

  test('goes on while the service stops', async () => {
    const { service, operators, statusOf } = await start({ drainSeconds: 60 });
    const client = await connectedStream(service);
    client.send(scriptedSpeech([4, 7]));
    await client.message(({ type }) => type === 'partial');
    const closed = service.close();
    expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503]);
    const { text } = await request(operators, '/metrics');
    expect(text).toContain('rxscribe_streams{state="draining"} 1\n');
    client.send(scriptedSpeech([0, 0, 0, 0]));
    expect((await client.closed).code).toBe(4010);
    await closed;
    await expect(request(operators, '/metrics')).rejects.toThrow();
  });

  test('must get its port, or the service does not start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise(resolve => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(startTestService({ adminPort: port })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`Cannot listen on '127.0.0.1', port ${port}: `),
    });
  });

  test('exists only with its option', async () => {
    expect((await startTestService()).adminUrl).toBeUndefined();
  });
});

test('the socket in the data directory has the metrics too', async () => {
  const directory = await dataDirectory();
  await start({ dataDirectory: directory });
  expect((await overSocket(directory, 'GET', '/metrics')).text).toContain('# TYPE rxscribe_streams gauge\n');
});
