import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { databaseFigures } from '../../../src/service/telemetry/databaseFigures.ts';
import { INSTRUMENTS, prometheusName } from '../../../src/service/telemetry/instruments.ts';
import { requestIdOf } from '../../../src/service/telemetry/requestId.ts';
import { copiedDatabase } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { endOf, speechFile } from '../../helpers/keptService.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { collectTraces, type ObservedService, startObservedService } from '../../helpers/observedService.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** Runs the check of Prometheus over a text. */
async function checkMetrics(text: string) {
  const check = spawn('promtool', ['check', 'metrics']);
  check.stdin.end(text);
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(check.stdout),
    textOf(check.stderr),
    once(check, 'exit'),
  ]);
  return { stdout, stderr, code };
}

const JOBS = '/speechtotext/v1/jobs';
/** Words that the recogniser says, and everything else that must not leave the service. */
const WORDS = ['w211', 'W211', 'w173', 'w199'];
const LEVELS = [211, 173, 0, 0, 0, 199];
const PRIVATE = {
  token: TEST_TOKEN,
  email: 'private-owner@example.org',
  metadata: 'private-metadata',
  notification: 'private-notification-token',
  query: 'private-query',
  name: 'private-name',
  wrongToken: 'private-token-of-nobody',
};
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a service that runs a stream, jobs and deliveries', () => {
  let traces: ReturnType<typeof collectTraces>;
  let service: ObservedService;
  /** Headers of the notifications. */
  const notified: IncomingHttpHeaders[] = [];
  const receiver = createServer((taken, answer) => {
    notified.push(taken.headers);
    taken.resume().once('end', () => answer.end());
  });
  let job: string;
  let failed: string;
  let stream: string;

  beforeAll(async () => {
    traces = collectTraces();
    service = await startObservedService({
      dataDirectory: await copiedDatabase(),
      email: PRIVATE.email,
      recognizer: createScriptedRecognizer({ cost: 0.1 }),
    });
    await service.ready;
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
    job = await submit('edge-1', LEVELS);
    failed = await submit('edge-2', []);
    await Promise.all([job, failed].map(id => endOf(service, `${JOBS}/${id}`)));
    const client = connectStream(service, { metadata: PRIVATE.metadata });
    stream = await client.connected;
    await client.finish(scriptedSpeech(LEVELS));
    await connectStream(service, { access_token: PRIVATE.wrongToken }).closed;
    await request(service, `/nothing/${PRIVATE.name}?x=${PRIVATE.query}`);
    await eventually(() => expect(notified).toHaveLength(2));
    const linesAbout = (id: string) =>
      service.log
        .lines()
        .filter(line => line.job === id)
        .map(({ msg }) => msg);
    await eventually(() => expect(linesAbout(job)).toContain('notification delivered'));
    await eventually(() => expect(linesAbout(stream)).toContain('job ended'));
    await eventually(() => expect(spansNamed('GET /speechtotext/v1/stream')).toHaveLength(2));
  }, 120_000);

  afterAll(async () => {
    await service.close();
    receiver.close();
    traces.stop();
  });

  async function submit(requestId: string, levels: readonly number[]): Promise<string> {
    const form = new FormData();
    const media = new Blob([new Uint8Array(speechFile(levels))], { type: 'audio/wav' });
    form.append('media', media, `${PRIVATE.name}.wav`);
    const notification = {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notify?x=${PRIVATE.query}`,
      auth_headers: { Authorization: `Bearer ${PRIVATE.notification}` },
    };
    form.append('options', JSON.stringify({ metadata: PRIVATE.metadata, notification_config: notification }));
    const headers = { 'x-request-id': requestId, traceparent: PARENT };
    const answer = await request(service, JOBS, { method: 'POST', body: form, headers });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, requestId]);
    return answer.json().id;
  }

  const linesOf = (requestId: string) => service.log.lines().filter(line => line.request === requestId);
  const spansNamed = (name: string) => traces.spans().filter(span => span.name === name);

  test('has one id in the log from the request to the notification', () => {
    const path = linesOf('edge-1').map(({ msg, job: id, account }) => ({ msg, job: id, account }));
    for (const msg of ['job started', 'job ended', 'notification delivered']) {
      expect(path).toContainEqual({ msg, job, account: 'owner' });
    }
    expect(path).toContainEqual(expect.objectContaining({ msg: 'request', account: 'owner' }));
    expect(linesOf('edge-2')).toContainEqual(
      expect.objectContaining({ msg: 'job ended', job: failed, outcome: 'failed', failure: 'empty_media' }),
    );
  });

  test('sends the id of the request with the notification', () => {
    const ids = notified.map(headers => headers['x-request-id']);
    expect(ids.sort()).toEqual(['edge-1', 'edge-2']);
  });

  test('has the id of the handshake in all lines of a stream', () => {
    const started = service.log
      .lines()
      .find(line => line.stream === stream && line.msg === 'stream started')!;
    expect(linesOf(started.request).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['stream started', 'stream ended', 'job ended']),
    );
    expect(service.log.lines()).toContainEqual(
      expect.objectContaining({ msg: 'stream refused', code: 4001, request: expect.any(String) }),
    );
  });

  test('continues the trace of a client to the job and its notification', () => {
    const [, traceId, clientSpan] = PARENT.split('-');
    const ofClient = traces.spans().filter(span => span.spanContext().traceId === traceId);
    const one = (name: string) =>
      ofClient.find(span => span.name === name && span.attributes['rxscribe.request.id'] === 'edge-1')!;
    const [http, run, delivery] = [one(`POST ${JOBS}`), one('job async'), one('deliver notification')];
    expect(http.parentSpanContext?.spanId).toBe(clientSpan);
    expect(run.parentSpanContext?.spanId).toBe(http.spanContext().spanId);
    expect(delivery.parentSpanContext?.spanId).toBe(run.spanContext().spanId);
    expect(http.attributes).toMatchObject({ 'http.route': JOBS, 'http.response.status_code': 200 });
    expect(run.attributes).toMatchObject({ 'rxscribe.job.id': job, 'rxscribe.account.id': 'owner' });
    const sent = notified.find(headers => headers['x-request-id'] === 'edge-1')!;
    expect(sent.traceparent).toBe(`00-${traceId}-${delivery.spanContext().spanId}-01`);
    const callers = ofClient
      .filter(({ name }) => name === 'engine: recogniser')
      .map(({ parentSpanContext }) => parentSpanContext?.spanId);
    expect(callers).toContain(run.spanContext().spanId);
    const spanOfFailed = ofClient.find(
      span => span.name === 'job async' && span.attributes['rxscribe.job.id'] === failed,
    )!;
    expect(spanOfFailed.attributes['error.type']).toBe('empty_media');
  });

  test('has a span for each stream, refused ones included', () => {
    const spans = spansNamed('GET /speechtotext/v1/stream').map(({ attributes }) => attributes);
    expect(spans).toContainEqual(
      expect.objectContaining({
        'rxscribe.stream.id': stream,
        'rxscribe.stream.close_code': 1000,
        'rxscribe.stream.seconds': 0.6,
      }),
    );
    expect(spans).toContainEqual(expect.objectContaining({ 'rxscribe.stream.close_code': 4001 }));
  });

  test('counts its work', async () => {
    const samples = {
      'rxscribe_jobs_ended_total{type="async",outcome="done"}': 1,
      'rxscribe_jobs_ended_total{type="async",outcome="failed",failure="empty_media"}': 1,
      'rxscribe_jobs_ended_total{type="stream",outcome="done"}': 1,
      'rxscribe_job_duration_seconds_count{type="async"}': 2,
      'rxscribe_deliveries_total{outcome="delivered"}': 2,
      rxscribe_deliveries_waiting: 0,
      'rxscribe_streams_ended_total{code="1000"}': 1,
      'rxscribe_streams_ended_total{code="4001"}': 1,
      'rxscribe_streams{state="running"}': 0,
      'rxscribe_jobs_waiting{lane="jobs"}': 0,
      'rxscribe_jobs_running{lane="jobs"}': 0,
      'rxscribe_engine_audio_seconds_total{kind="stream"}': 0.6,
      'rxscribe_engine_audio_seconds_total{kind="recording"}': 0.6,
      [`http_server_request_duration_seconds_count{http_request_method="POST",http_route="${JOBS}",url_scheme="http",http_response_status_code="200"}`]: 2,
      'http_server_request_duration_seconds_count{http_request_method="GET",url_scheme="http",http_response_status_code="404"}': 1,
    };
    for (const [name, value] of Object.entries(samples)) {
      expect([name, await service.sample(name)]).toEqual([name, expect.closeTo(value, 6)]);
    }
    expect(await service.sample('rxscribe_engine_processor_seconds_total{kind="stream"}')).toBeGreaterThan(0);
    const store = 'rxscribe_store_duration_seconds_count{server="objects",outcome="ok"}';
    expect(await service.sample(store)).toBeGreaterThan(0);
  });

  test('serves on the listener for operators every metric that a service of one process has', async () => {
    const { status, text, headers } = await request({ url: service.adminUrl! }, '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
    const ofServers: readonly string[] = ['rxscribe.members', 'rxscribe.database.connections'];
    const expected = Object.values(INSTRUMENTS).filter(({ name }) => !ofServers.includes(name));
    expect(names).toEqual(expect.arrayContaining(expected.map(prometheusName)));
    expect(names.filter(name => /^(rxscribe|http)_/.test(name)).length).toBe(expected.length);
  });

  test('has metrics of the format that Prometheus checks', { tags: 'tools' }, async context => {
    needsProgram(context, 'promtool');
    const { stdout, stderr, code } = await checkMetrics(await service.telemetry.metricsText());
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  test('shows no word, name, address, token or metadata in its log, metrics and traces', async () => {
    const spans = traces
      .spans()
      .map(({ name, attributes, events, status, links }) =>
        JSON.stringify({ name, attributes, events, status, links: links.map(link => link.attributes) }),
      );
    const captured = {
      log: service.log.text(),
      metrics: await service.telemetry.metricsText(),
      traces: spans.join('\n'),
    };
    for (const [where, text] of Object.entries(captured)) {
      expect(text.length).toBeGreaterThan(1000);
      for (const secret of [...WORDS, ...Object.values(PRIVATE)]) {
        expect([where, secret, text.includes(secret)]).toEqual([where, secret, false]);
      }
    }
    // The words were said, and would have been found.
    const said = await request(service, `${JOBS}/${job}/transcript`, { headers: { accept: 'text/plain' } });
    expect(WORDS.filter(word => said.text.includes(word))).toEqual(['W211', 'w173']);
  });
});

test('the metrics say whether the server of a recogniser fails', async () => {
  let fault: string | undefined = 'ECONNREFUSED';
  const recognizer = { ...createScriptedRecognizer(), fault: () => fault };
  await using service = await startObservedService({ recognizer });
  expect(await service.sample('rxscribe_engine_failing')).toBe(1);
  fault = undefined;
  expect(await service.sample('rxscribe_engine_failing')).toBe(0);
});

describe('the metrics of a service of several processes', { tags: 'tools' }, () => {
  const { locate } = serverBackend();

  test('count the processes that are alive, by role', async context => {
    const place = await locate(context);
    const api = await startObservedService({ ...place, role: 'api' });
    onTestFinished(() => api.close());
    const worker = await startObservedService({ ...place, role: 'worker' });
    onTestFinished(() => worker.close());
    await Promise.all([api.ready, worker.ready]);
    const counts = async () =>
      Promise.all(['all', 'api', 'worker'].map(role => api.sample(`rxscribe_members{role="${role}"}`)));
    await eventually(async () => expect(await counts()).toEqual([0, 1, 1]));
    expect(await worker.sample('rxscribe_streams{state="running"}')).toBeUndefined();
    expect(await worker.sample('rxscribe_jobs_running{lane="jobs"}')).toBe(0);
  }, 120_000);
});

test('figures are read at most every ten seconds, and again after an error', async () => {
  const clock = new VirtualClock();
  let reads = 0;
  const figures = databaseFigures(clock, async () => {
    reads++;
    if (reads === 2) throw new Error('no database');
    return reads;
  });
  expect(await Promise.all([figures(), figures()])).toEqual([1, 1]);
  await clock.advanceAsync(9000);
  expect(await figures()).toBe(1);
  await clock.advanceAsync(1000);
  await expect(figures()).rejects.toThrow('no database');
  await clock.advanceAsync(10_000);
  expect(await figures()).toBe(3);
});

test('figures of a database that does not answer are given up after three seconds', async () => {
  const clock = new VirtualClock();
  const figures = databaseFigures(clock, () => new Promise(() => {}));
  const failed = expect(figures()).rejects.toMatchObject({ code: 'timeout' });
  await clock.advanceAsync(3000);
  await failed;
});

const NEW_ID = /^[0-9A-Za-z]{14}$/;

describe('the id of a request', () => {
  test.each(['a', 'edge-1_2.3', 'x'.repeat(128)])('is that of the header when it is "%s"', id => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toBe(id);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a\nb', 'a"b', 'é', 'a, b', '{}'])('is new instead of "%s"', id => {
    expect(requestIdOf({ headers: { 'x-request-id': id } })).toMatch(NEW_ID);
  });

  test('is new without the header, and never the same', () => {
    const ids = Array.from({ length: 100 }, () => requestIdOf({ headers: {} }));
    expect(new Set(ids).size).toBe(100);
  });
});

describe('an answer', () => {
  const headers = { 'x-request-id': 'edge-7' };

  test('has the id of its request, problems and refused handshakes included', async () => {
    const service = await startTestService();
    const answers = [
      await request(service, '/health/live', { headers }),
      await request(service, '/nothing', { headers }),
      await request(service, '/speechtotext/v1/account', { headers: { ...headers, authorization: '' } }),
    ];
    expect(answers.map(answer => [answer.status, answer.headers.get('x-request-id')])).toEqual([
      [200, 'edge-7'],
      [404, 'edge-7'],
      [401, 'edge-7'],
    ]);
    const port = Number(new URL(service.url).port);
    const handshake = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'X-Request-Id: edge-8'];
    for (const lines of [
      ['GET /elsewhere HTTP/1.1', ...handshake],
      ['GET /speechtotext/v1/stream HTTP/1.1', ...handshake, 'Sec-WebSocket-Version: 8'],
      ['GET /speechtotext/v1/stream HTTP/1.1', ...handshake, 'Sec-WebSocket-Version: 13'],
    ]) {
      expect(await rawRequest({ port }, ...(lines as [string]))).toMatch(/^X-Request-Id: edge-8\r$/m);
    }
  });

  test('to the handshake of a stream has its id', async () => {
    const service = await startTestService();
    const { socket } = connectStream(service);
    const answered = new Promise<string | string[] | undefined>(resolve =>
      socket.once('upgrade', ({ headers }) => resolve(headers['x-request-id'])),
    );
    expect(await answered).toMatch(NEW_ID);
  });
});
