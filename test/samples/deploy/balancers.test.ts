// @module-tag tools

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import {
  BALANCERS,
  type Balancer,
  type BalancerName,
  balancerSample,
  startBalancer,
} from '../../helpers/balancer.ts';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService, type TakenRequest } from '../../helpers/httpService.ts';
import { postMedia, speechFile } from '../../helpers/keptService.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { bodyOf, closeOf, rawConnection, rawRequest } from '../../helpers/rawConnection.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9]);

/** A balancer with the sample's configuration, stopped when the test is over. */
async function balancerOf(
  context: TestContext,
  name: BalancerName,
  services: readonly { readonly url: string }[],
  rules?: readonly string[],
): Promise<Balancer> {
  needsProgram(context, name);
  const balancer = await startBalancer(
    name,
    services.map(({ url }) => ({ port: Number(new URL(url).port) })),
    rules,
  );
  onTestFinished(() => balancer[Symbol.asyncDispose]());
  return balancer;
}

/** A process that answers with its name, and its probes as the test says. */
function answering(name: string, isReady: () => boolean = () => true) {
  return startHttpService(({ url }) =>
    url === '/health/ready' ? { status: isReady() ? 200 : 503, json: {} } : { json: { name } },
  );
}

/** The requests of clients, without probes. */
function ofClients(requests: readonly TakenRequest[]): readonly TakenRequest[] {
  return requests.filter(({ url }) => !url.startsWith('/health/'));
}

/** A process that is ready, and breaks the connection of any other request after it has read all of it. */
async function breaking(): Promise<{ readonly url: string; readonly broken: () => number }> {
  let broken = 0;
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith('/health/')) return void response.end('{}');
    incoming.resume().on('end', () => {
      broken++;
      incoming.socket.destroy();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, broken: () => broken };
}

describe.each(BALANCERS)('%s', name => {
  test('passes a stream on in both directions, with the reason of its end', async context => {
    const service = await startTestService();
    const balancer = await balancerOf(context, name, [service]);
    const client = connectStream(balancer);
    await client.connected;
    client.send(SPEECH);
    await client.message(({ type }) => type === 'final');
    client.send('EOS');
    expect(await client.closed).toEqual({ code: 1000, reason: 'End of input. Closing' });
    expect(client.finalWords()).toEqual(['W4', 'w7', 'W9']);
    expect((await connectStream(balancer, { access_token: 'wrong' }).closed).code).toBe(4001);
  });

  test('passes on uploads that are larger than its buffers', async context => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    await service.ready;
    const balancer = await balancerOf(context, name, [service]);
    const minutes = speechFile(Array.from({ length: 1200 }, (_, index) => index % 9));
    const answer = await postMedia(balancer, '/speechtotext/v1/jobs', minutes);
    expect(minutes.length).toBeGreaterThan(3_000_000);
    expect(answer.status).toBe(200);
    await eventually(async () => {
      const job = await request(balancer, `/speechtotext/v1/jobs/${answer.json().id}`);
      expect(job.json().status).toBe('transcribed');
    });
  });

  test('refuses a larger body than the service would accept, and the routes of operators', async context => {
    const service = await answering('one');
    const balancer = await balancerOf(context, name, [service]);
    const bytes = LIMIT_DEFAULTS.http.uploadBytes;
    const submission = (length: number) =>
      rawRequest(
        balancer,
        'POST /speechtotext/v1/jobs HTTP/1.1',
        'Host: localhost',
        `Content-Length: ${length}`,
        'Connection: close',
      );
    const refused = await submission(bytes + 1);
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    expect(refused.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(refused.split('\r\n\r\n')[1]!.match(/\{.*\}/)![0])).toMatchObject({ status: 413 });
    for (const path of ['/admin/v1/accounts', '/%61dmin/v1/accounts', '/admin']) {
      expect((await request(balancer, path)).status).toBe(404);
    }
    expect(ofClients(service.requests)).toEqual([]);
  });

  test('gives each request an id, or keeps that of the client, and says who asks', async context => {
    const service = await answering('one');
    const balancer = await balancerOf(context, name, [service]);
    for (const id of ['edge-1.a_B', 'with space', 'x'.repeat(129)]) {
      await request(balancer, '/speechtotext/v1/account', {
        headers: { 'x-request-id': id, 'x-forwarded-for': '192.0.2.1' },
      });
    }
    await request(balancer, '/speechtotext/v1/account');
    const all = ofClients(service.requests).map(({ headers }) => headers);
    const ids = all.map(headers => headers['x-request-id']);
    expect(ids[0]).toBe('edge-1.a_B');
    for (const id of ids.slice(1)) expect(id).toMatch(/^[a-f0-9-]{32,36}$/);
    expect(new Set(ids).size).toBe(4);
    for (const headers of all) {
      expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    }
    await eventually(() => expect(balancer.log).toContain('request_id=edge-1.a_B'));
  });

  test('goes on with the others when a process is gone, and has it back when it is there again', async context => {
    const first = await answering('first');
    const second = await answering('second');
    const balancer = await balancerOf(context, name, [first, second]);
    const answered = async () => (await request(balancer, '/speechtotext/v1/account')).json().name;
    await eventually(async () => expect(await answered()).toBe('first'));
    await eventually(async () => expect(await answered()).toBe('second'));
    await first.close();
    for (let count = 0; count < 20; count++) expect(await answered()).toBe('second');
    const again = await startHttpService(() => ({ json: { name: 'first' } }), {
      port: Number(new URL(first.url).port),
    });
    await eventually(async () => expect(await answered()).toBe('first'));
    expect(again.requests.length).toBeGreaterThan(0);
  });

  test('never sends a submission to a second process', async context => {
    const services = [await breaking(), await breaking()];
    const balancer = await balancerOf(context, name, services);
    const broken = () => services.reduce((sum, service) => sum + service.broken(), 0);
    const posted = await request(balancer, '/speechtotext/v1/jobs', { method: 'POST', body: '{}' });
    expect(posted.status).toBe(502);
    expect(posted.headers.get('content-type')).toBe('application/problem+json');
    expect(broken()).toBe(1);
  });

  test('leaves a process that drains the streams that it has, and finds another for new ones', async context => {
    const services = [
      await startTestService({ drainSeconds: 60 }),
      await startTestService({ drainSeconds: 60 }),
    ];
    const balancer = await balancerOf(context, name, services);
    const clients = [connectStream(balancer), connectStream(balancer)];
    for (const client of clients) {
      await client.connected;
      client.send(scriptedSpeech([4, 7]));
      await client.message(({ type }) => type === 'partial');
    }
    // Each service has one of the two.
    const drained = services[0]!.close();
    await eventually(async () => {
      const another = connectStream(balancer);
      await another.connected;
      another.send('EOS');
      expect((await another.closed).code).toBe(1000);
    });
    for (const client of clients) client.send(scriptedSpeech([9, 0, 0, 0, 0]));
    const code = await Promise.race(clients.map(async ({ closed }) => (await closed).code));
    expect(code).toBe(4010);
    await drained;
    for (const client of clients) {
      await client.message(({ type }) => type === 'final');
      expect(client.finalWords()).toEqual(['W4', 'w7', 'w9']);
    }
    expect(clients.filter(({ socket }) => socket.readyState === socket.OPEN)).toHaveLength(1);
  });

  test('logs no access token', async context => {
    const service = await startTestService();
    const balancer = await balancerOf(context, name, [service]);
    const client = connectStream(balancer);
    await client.connected;
    client.send('EOS');
    await client.closed;
    await service.close();
    expect((await connectStream(balancer).closed).code).toBe(1006);
    await eventually(() => expect(balancer.log.match(/\/speechtotext\/v1\/stream/g)?.length).toBe(2));
    expect(balancer.log).not.toContain(TEST_TOKEN);
    expect(balancer.log).not.toContain('access_token');
  });
});

/** The sample's configuration with its lines for TLS, whose files are put in their places. */
async function withTls(name: BalancerName): Promise<string> {
  const directory = await temporaryDirectory();
  const { key, cert } = selfSignedCertificate();
  writeFileSync(join(directory, 'tls.pem'), cert + key);
  writeFileSync(join(directory, 'tls.key'), key);
  const path = join(directory, 'balancer.conf');
  const sample = readFileSync(balancerSample(name), 'utf8');
  writeFileSync(
    path,
    sample
      .replace(/# (bind :8443|listen 8443|ssl_certificate)/g, '$1')
      .replace(/\/\S*(tls\.\w+)/g, join(directory, '$1'))
      .replace('default-path config', `default-path origin ${dirname(balancerSample(name))}`)
      .replace(/api-\d:8080/g, '127.0.0.1:8080')
      .replaceAll('/tmp/nginx', `${directory}/nginx`),
  );
  return path;
}

const CHECKS: Readonly<Record<BalancerName, readonly string[]>> = {
  haproxy: ['-c', '-f'],
  nginx: ['-t', '-c'],
};

test.for(BALANCERS)('%s accepts the configuration with TLS', async (name, context) => {
  needsProgram(context, name);
  const path = await withTls(name);
  expect(readFileSync(path, 'utf8')).toMatch(/^ +(bind :8443 .*crt|ssl_certificate) /m);
  // nginx opens its output by a name, which a pipe of Node does not have.
  execFileSync(name, [...CHECKS[name], path], { stdio: ['ignore', 'ignore', 'pipe'] });
});

/** Version of the program, such as 3.2; 0 when there is none. */
const HAPROXY_VERSION = Number(
  /version (\d+\.\d+)/.exec(spawnSync('haproxy', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0,
);

/** Sends the beginning of a head, and resolves with the answer. */
async function unfinished(balancer: Balancer, lines: readonly string[]): Promise<string> {
  const socket = await rawConnection(balancer);
  socket.write(lines.join('\r\n'));
  let answer = '';
  socket.on('data', data => (answer += String(data)));
  await closeOf(socket);
  return answer;
}

describe('haproxy', () => {
  test('accepts the configuration as it is', context => {
    needsProgram(context, 'haproxy');
    execFileSync('haproxy', ['-c', '-f', balancerSample('haproxy')], { stdio: 'pipe' });
  });

  test.for([400, 403, 404, 405, 408, 413, 425, 429, 500, 501, 502, 503, 504])(
    'answers %i by itself with a problem in JSON',
    async (status, context) => {
      const service = await answering('one');
      const rule = `http-request deny deny_status ${status} if { path /denied }`;
      const balancer = await balancerOf(context, 'haproxy', [service], [rule]);
      const answer = await request(balancer, '/denied');
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json()).toEqual({ title: expect.stringMatching(/^[A-Z][A-Za-z ]+$/), status });
    },
  );

  describe('answers, from version 3.2 on with a problem in JSON,', () => {
    const long = 'x'.repeat(20_000);
    test.for([
      ['no request line', 400, ['GARBAGE']],
      ['a line without a colon', 400, ['GET / HTTP/1.1', 'Host: localhost', 'no colon']],
      ['two hosts', 400, ['GET / HTTP/1.1', 'Host: one', 'Host: other']],
      ['a control character', 400, ['GET /\u0001 HTTP/1.1', 'Host: localhost']],
      ['a space in a name', 400, ['GET / HTTP/1.1', 'Host: localhost', 'X Y: z']],
      ['a length that is none', 400, ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: many']],
      ['a chunk that is none', 400, ['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', 'zz']],
      ['a head that is too long', 431, ['GET / HTTP/1.1', 'Host: localhost', `X: ${long}`]],
      ['a head that does not end', 408, ['GET / HTTP/1.1', 'Host: localhost']],
    ] as const)('a request with %s', { timeout: 60_000 }, async ([, status, lines], context) => {
      needsProgram(context, 'haproxy');
      const balancer = await balancerOf(context, 'haproxy', [await answering('one')]);
      const answer =
        status === 408 ? await unfinished(balancer, lines) : await rawRequest(balancer, ...lines);
      // Earlier versions have a page of their own for a head that they cannot parse.
      if (HAPROXY_VERSION < 3.2) {
        expect(answer).toMatch(/^HTTP\/1\.[01] 4\d\d /);
        return;
      }
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
      expect(bodyOf(answer)).toEqual({ title: expect.stringMatching(/^[A-Z]/), status });
    });
  });

  test('gives a process that is not ready nothing new', async context => {
    let isReady = true;
    const draining = await answering('draining', () => isReady);
    const other = await answering('other');
    const balancer = await balancerOf(context, 'haproxy', [draining, other]);
    const answered = async () => (await request(balancer, '/speechtotext/v1/account')).json().name;
    await eventually(async () => expect(await answered()).toBe('draining'));
    isReady = false;
    await eventually(async () => {
      for (let count = 0; count < 10; count++) expect(await answered()).toBe('other');
    });
    isReady = true;
    await eventually(async () => expect(await answered()).toBe('draining'));
  });

  test('asks processes that live when none is ready', async context => {
    let isReady = true;
    const service = await answering('one', () => isReady);
    const balancer = await balancerOf(context, 'haproxy', [service]);
    isReady = false;
    const ready = () => request(balancer, '/health/ready');
    await eventually(async () => expect((await ready()).status).toBe(503));
    expect((await request(balancer, '/speechtotext/v1/account')).json()).toEqual({ name: 'one' });
  });
});
