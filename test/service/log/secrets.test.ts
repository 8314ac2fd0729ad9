import { expect, test } from 'vitest';
import { overSocket } from '../../helpers/adminClient.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type GivenAnswer, startHttpService } from '../../helpers/httpService.ts';
import { endOf, postMedia, speechFile } from '../../helpers/keptService.ts';
import { fetchOpenApi } from '../../helpers/openApi.ts';
import { rawRequest } from '../../helpers/rawConnection.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/serviceProcess.ts';
import { clientOf, connectStream } from '../../helpers/streamClient.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';

/** One of each kind of credential. */
const SECRETS = {
  token: TEST_TOKEN,
  wrongToken: 'secret-token-that-nobody-has',
  adminToken: 'secret-token-of-the-operators-32',
  wrongAdminToken: 'secret-token-of-no-operator-at-all',
  basic: 'c2VjcmV0OnBhc3N3b3Jk',
  source: 'secret-of-the-source',
  notification: 'secret-of-the-notification',
  cookie: 'secret-cookie',
  address: 'secret-in-an-address',
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, cookie: `session=${SECRETS.cookie}` });

async function startTracedService() {
  const data = await dataDirectory();
  const service = await startServiceProcess({
    dataDirectory: data,
    token: SECRETS.token,
    adminToken: SECRETS.adminToken,
    allowPrivateAddresses: true,
    logLevel: 'trace',
    limits: { guesses: { perSecond: 1000, burst: 100_000 }, account: { requestBurst: 100_000 } },
  });
  return { service, data };
}

/** Calls every route that the service describes, and some others, with valid and invalid tokens. */
async function useEveryRoute(service: ServiceProcess): Promise<void> {
  const { operations } = await fetchOpenApi(service);
  const described = operations.map(({ method, path }) => [method.toUpperCase(), path] as const);
  const others = ['/', '/docs', '/docs/static/none', '/nothing', '/admin/v1/accounts', `${JOBS}/%zz`];
  const routes = [...described, ...others.map(path => ['GET', path] as const)];
  for (const [method, path] of routes) {
    const target = `${path.replaceAll(/\{\w+\}/g, 'none')}?access_token=${SECRETS.token}&x=${SECRETS.address}`;
    for (const token of [SECRETS.token, SECRETS.wrongToken, SECRETS.adminToken]) {
      const headers = bearer(token);
      await request(service, target, { method, headers });
      if (method !== 'POST') continue;
      await postMedia(service, target, undefined, { metadata: 1 }, headers);
      const json = { ...headers, 'content-type': 'application/json' };
      await request(service, target, { method, headers: json, body: `{"access_token":"${SECRETS.token}"` });
      const broken = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
      await request(service, target, { method, headers: broken, body: SECRETS.token });
    }
    await request(service, target, { method, headers: { authorization: `Basic ${SECRETS.basic}` } });
  }
}

async function useStreams(service: ServiceProcess): Promise<void> {
  const client = connectStream(service, { access_token: SECRETS.token });
  await client.finish(scriptedSpeech([4, 7, 0, 0, 0, 9]));
  for (const query of [
    { access_token: SECRETS.wrongToken },
    { access_token: SECRETS.token, content_type: SECRETS.address },
    { access_token: SECRETS.token, content_type: 'audio/x-wav', metadata: 'x'.repeat(600) },
  ]) {
    const refused = connectStream(service, query);
    refused.socket.once('open', () => refused.send(scriptedSpeech([4])));
    refused.socket.once('open', () => refused.send(SECRETS.token));
    await refused.closed;
  }
  await clientOf(`${service.url.replace('http', 'ws')}/elsewhere?access_token=${SECRETS.token}`).closed;
}

/** Runs jobs whose media and notifications need credentials, with receivers that accept, refuse or break. */
async function useCallbacks(service: ServiceProcess): Promise<void> {
  const speech = speechFile();
  const receiver = await startHttpService(({ url }): GivenAnswer => {
    if (url.startsWith('/media')) return { bytes: speech, headers: { 'content-type': 'audio/wav' } };
    if (url.startsWith('/moved'))
      return { status: 302, headers: { location: `/denied?x=${SECRETS.address}` } };
    return url.startsWith('/notified') ? { json: {} } : { status: 500, json: {} };
  });
  const at = (path: string) => `${receiver.url}${path}?x=${SECRETS.address}`;
  const source = (url: string) => ({ url, auth_headers: { Authorization: `Bearer ${SECRETS.source}` } });
  const target = (url: string) => ({ url, auth_headers: { Authorization: SECRETS.notification } });
  const unreachable = `https://127.0.0.1:1/x?x=${SECRETS.address}`;
  for (const submission of [
    { source_config: source(at('/media')), notification_config: target(at('/notified')) },
    { source_config: source(at('/moved')), notification_config: target(at('/denied')) },
    { source_config: source(at('/denied')), notification_config: target(unreachable) },
    { source_config: source(unreachable), notification_config: target(at('/moved')) },
    { source_config: { url: 7, auth_headers: { Authorization: `x\n${SECRETS.source}` } } },
    { source_config: source(`http://user:${SECRETS.source}@127.0.0.1/`) },
  ]) {
    const { json, status } = await request(service, JOBS, {
      method: 'POST',
      headers: { ...bearer(SECRETS.token), 'content-type': 'application/json' },
      body: JSON.stringify(submission),
    });
    if (status === 200) await endOf(service, `${JOBS}/${json().id}`);
  }
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(4));
}

/** Performs the actions of operators; returns the tokens and secrets that were created. */
async function useAdministration(service: ServiceProcess, data: string): Promise<readonly string[]> {
  const made: string[] = [];
  const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['GET', '/accounts'],
    ['POST', '/accounts/owner/tokens', { name: 'second' }],
    ['PATCH', '/accounts/owner/settings', { signing_secret: 'new' }],
    ['PATCH', '/accounts/owner/settings', { signing_secret: SECRETS.address }],
    ['POST', '/accounts/owner/credit', { seconds: SECRETS.address }],
    ['GET', '/human-jobs'],
    ['DELETE', `/accounts/owner/tokens/${SECRETS.address}`],
  ];
  for (const [method, path, body] of calls) {
    const init = {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    for (const token of [SECRETS.adminToken, SECRETS.wrongAdminToken]) {
      const headers = { ...bearer(token), ...(init.body && { 'content-type': 'application/json' }) };
      const answer = await request(service, `/admin/v1${path}`, { ...init, headers });
      if (answer.status === 200) made.push(answer.text);
    }
    const answer = await overSocket(data, method, `/admin/v1${path}`, body);
    if (answer.status === 200) made.push(answer.text);
  }
  return made.flatMap(text => {
    const { token, signing_secret } = JSON.parse(text);
    return [token, signing_secret].filter(secret => secret !== undefined);
  });
}

async function useBareConnections(service: ServiceProcess): Promise<void> {
  const port = Number(new URL(service.url).port);
  const authorization = `Authorization: Bearer ${SECRETS.token}`;
  const target = `/?access_token=${SECRETS.token}`;
  await rawRequest({ port }, `GET ${target} HTTP/9.9`, authorization);
  await rawRequest({ port }, `GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', authorization);
  await rawRequest({ port }, `GET ${target} HTTP/1.1`, `X: ${SECRETS.cookie.repeat(9000)}`);
  await rawRequest({ port }, `POST ${JOBS} HTTP/1.1`, 'Host: x', authorization, 'Content-Length: x');
}

test('the log contains no credential at any level', async () => {
  const { service, data } = await startTracedService();
  await useEveryRoute(service);
  await useStreams(service);
  await useCallbacks(service);
  const made = await useAdministration(service, data);
  expect(made.length).toBeGreaterThan(3);
  await useBareConnections(service);
  await service.end('SIGTERM');
  const lines = service.log.trimEnd().split('\n');
  const messages = lines.map(line => JSON.parse(line).msg);
  // Tracing a form logs its headers.
  expect(messages).toContain('Providing options to busboy');
  expect(messages).toContain('administration');
  for (const secret of [...Object.values(SECRETS), ...made]) {
    expect(lines.filter(line => line.includes(secret))).toEqual([]);
  }
}, 120_000);
