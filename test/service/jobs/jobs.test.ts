import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { advanceUntil, request, startTestService } from '../../helpers/testService.ts';

type Running = Awaited<ReturnType<typeof startTestService>>;

const SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9]);
const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';
const JOBS = '/speechtotext/v1/jobs';

/** Runs one session from start to end; returns its id. */
async function speak(service: Running, query: Parameters<typeof connectStream>[1] = {}, audio = SPEECH) {
  const client = connectStream(service, query);
  const id = await client.connected;
  client.send(audio);
  client.send('EOS');
  await client.closed;
  return { id, client };
}

async function transcript(service: Running, id: string, accept: string | undefined = JSON_TYPE) {
  return request(service, `${JOBS}/${id}/transcript`, { headers: accept === undefined ? {} : { accept } });
}

/** Returns the files below a directory that contain a text. */
function filesWith(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(directory, path)).isFile())
    .filter(path => readFileSync(join(directory, path)).includes(text));
}

describe('a finished session', () => {
  test('is a job with its options and results', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const { id } = await speak(service, { metadata: 'né "à"', delete_after_seconds: 3600 });
    const { status, json } = await request(service, `${JOBS}/${id}`);
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(json()).toEqual({
      id,
      status: 'transcribed',
      type: 'stream',
      language: 'en',
      metadata: 'né "à"',
      created_on: time,
      completed_on: time,
      duration_seconds: 0.6,
      delete_after_seconds: 3600,
    });
    expect((await request(service, `${JOBS}/${id}/?`)).json().id).toBe(id);
  });

  test('has the transcript that was sent, in both media types', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const { id, client } = await speak(service, { start_ts: 3600 });
    const json = await transcript(service, id);
    expect(json.status).toBe(200);
    expect(json.headers.get('content-type')).toContain(JSON_TYPE);
    expect(json.headers.get('vary')).toBe('Accept');
    const sent = client.finals().flatMap(({ elements }) => elements);
    const space = { type: 'punct', value: ' ' };
    expect(json.json()).toEqual({
      monologues: [{ speaker: 0, elements: [...sent.slice(0, 4), space, ...sent.slice(4)] }],
    });
    const text = await transcript(service, id, 'text/plain');
    expect(text.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text.text).toBe('Speaker 0    01:00:00    W4 w7. W9.\n');
  });

  test('costs its seconds', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    await speak(service, { delete_after_seconds: 0 }, scriptedSpeech(new Array(25).fill(3)));
    const balance = async () => (await request(service, '/speechtotext/v1/account')).json().balance_seconds;
    await expect.poll(balance).toBe(1_000_000_000 - 3);
  });
});

describe('a session in progress', () => {
  test('is a job in progress', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const client = connectStream(service);
    const id = await client.connected;
    const job = (await request(service, `${JOBS}/${id}`)).json();
    expect(job).toMatchObject({ id, status: 'in_progress', type: 'stream' });
    expect(job).not.toHaveProperty('completed_on');
    expect((await transcript(service, id)).status).toBe(409);
  });

  test('has all words when its client vanishes', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const client = connectStream(service);
    const id = await client.connected;
    client.send(SPEECH);
    await client.message(({ type, elements }) => type === 'partial' && elements.at(-1)?.value === 'w9');
    client.socket.terminate();
    const status = async () => (await request(service, `${JOBS}/${id}`)).json().status;
    await expect.poll(status).toBe('transcribed');
    expect((await transcript(service, id, 'text/plain')).text).toBe('Speaker 0    00:00:00    W4 w7. W9.\n');
  });

  test('keeps its finals when the service stops', async () => {
    const directory = await dataDirectory();
    const service = await startTestService({ dataDirectory: directory });
    const client = connectStream(service);
    const id = await client.connected;
    client.send(SPEECH);
    await client.message(({ type }) => type === 'final');
    await service.close();
    const next = await startTestService({ dataDirectory: directory });
    expect((await transcript(next, id, 'text/plain')).text).toContain('W4 w7.');
  });
});

describe('a session that fails', () => {
  test('by its recogniser is a failed job without a transcript', async () => {
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 0.3 });
    const service = await startTestService({ dataDirectory: await dataDirectory(), recognizer });
    const { id } = await speak(service);
    expect((await request(service, `${JOBS}/${id}`)).json()).toMatchObject({
      status: 'failed',
      failure: 'transcription',
      failure_detail: 'The recogniser failed.',
    });
    expect((await transcript(service, id)).json()).toMatchObject({ status: 409, current_value: 'failed' });
    expect((await request(service, `${JOBS}/${id}`, { method: 'DELETE' })).status).toBe(204);
  });

  test('by its audio is a failed job that says so', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const { id } = await speak(service, { content_type: 'audio/x-wav' });
    expect((await request(service, `${JOBS}/${id}`)).json()).toMatchObject({
      status: 'failed',
      failure: 'invalid_media',
    });
  });
});

describe('a job to be deleted', () => {
  const RARE = scriptedSpeech([499, 0, 0, 0]);

  test('at once is never stored, not even during the session', async () => {
    const directory = await dataDirectory();
    const service = await startTestService({ dataDirectory: directory });
    const client = connectStream(service, { delete_after_seconds: 0, metadata: 'a rare remark' });
    const id = await client.connected;
    client.send(RARE);
    await client.message(({ type }) => type === 'final');
    expect((await request(service, `${JOBS}/${id}`)).status).toBe(404);
    client.send('EOS');
    await client.closed;
    const kept = await speak(service, { metadata: 'a known remark' }, scriptedSpeech([498, 0, 0, 0]));
    expect((await request(service, `${JOBS}/${kept.id}`)).status).toBe(200);
    expect((await request(service, `${JOBS}/${id}`)).status).toBe(404);
    await service.close();
    // The search does find stored data, in files and in the database.
    expect(filesWith(directory, 'W498').length).toBeGreaterThan(0);
    expect(filesWith(directory, 'a known remark').length).toBeGreaterThan(0);
    expect(filesWith(directory, 'W499')).toEqual([]);
    expect(filesWith(directory, 'a rare remark')).toEqual([]);
    expect(filesWith(directory, id)).toEqual([]);
  });
});

describe('an unreachable store', () => {
  test('does not delay a session, and delays other requests only briefly', async () => {
    const clock = new VirtualClock();
    const service = await startTestService({
      dataDirectory: await temporaryDirectory(),
      databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
      clock,
      limits: { stream: { idleMs: 1e9, heartbeatMs: 1e9 } },
    });
    const { client } = await speak(service);
    expect(client.finalWords()).toEqual(['W4', 'w7', 'W9']);
    expect((await request(service, '/health/live')).status).toBe(200);
    const ready = await request(service, '/health/ready');
    expect([ready.status, ready.json().detail]).toEqual([
      503,
      'The service is not ready (waiting for: store).',
    ]);
    const account = await advanceUntil(clock, 100, request(service, '/speechtotext/v1/account'));
    expect([account.status, account.json()]).toEqual([
      503,
      {
        title: 'Service Unavailable',
        status: 503,
        detail: 'The database is not open yet, or does not answer in time.',
      },
    ]);
    const unknown = connectStream(service, { access_token: 'another' });
    expect((await advanceUntil(clock, 100, unknown.closed)).code).toBe(4013);
  });

  test('does not prevent a service from closing', async () => {
    const clock = new VirtualClock();
    const service = await startTestService({
      dataDirectory: await temporaryDirectory(),
      databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
      clock,
    });
    // The clock does not move: no timeout ends the wait.
    await service.close();
    await expect(service.ready).rejects.toMatchObject({ code: 'store' });
  });
});
