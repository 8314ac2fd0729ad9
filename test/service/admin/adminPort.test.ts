import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceOptions } from '../../../src/service/options.ts';
import { overSocket } from '../../helpers/adminClient.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startObservedService } from '../../helpers/observedService.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const ACCOUNTS = '/admin/v1/accounts';

async function start(options: Partial<ServiceOptions> = {}) {
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

  test('shows what the service waits for', async () => {
    const recognizer = { ...createScriptedRecognizer(), warm: () => new Promise<void>(() => {}) };
    const { operators } = await start({ recognizer });
    const { status, json } = await request(operators, '/health/ready');
    expect([status, json().detail]).toEqual([503, expect.stringContaining('recogniser')]);
  });

  test('counts what is left of work, which is nothing in a service at rest', async () => {
    const directory = await dataDirectory();
    const { service, operators } = await start({ adminToken: ADMIN_TOKEN, dataDirectory: directory });
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const left = async () => {
      const counts = (await request(operators, '/admin/v1/leftovers', { headers })).json();
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
    };
    expect(await left()).toEqual({});
    for (const folder of ['jobs/Orphan', 'submitted/Unqueued']) {
      await mkdir(join(directory, 'objects', folder), { recursive: true });
      await writeFile(join(directory, 'objects', folder, 'file'), '');
    }
    expect(await left()).toEqual({ results: 1, inputs: 1 });
    const client = connectStream(service);
    await client.connected;
    await eventually(async () => expect(await left()).toEqual({ results: 1, inputs: 1, jobs: 1 }));
  });

  test('goes on while the service stops', async () => {
    const { service, operators, statusOf } = await start({ drainSeconds: 60 });
    const client = connectStream(service);
    await client.connected;
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
      message: expect.stringContaining(`Cannot listen on 127.0.0.1, port ${port}: `),
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
