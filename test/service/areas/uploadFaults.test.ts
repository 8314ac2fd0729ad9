import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { INITIAL_BALANCE_SECONDS } from '../../../src/service/accounts/accounts.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { DESK_ADMIN_TOKEN, deskAdministration } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FORM_END, FORM_TYPE, partHead } from '../../helpers/formBody.ts';
import { endOf, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { growthDuring } from '../../helpers/processMemory.ts';
import { closeOf, rawConnection } from '../../helpers/rawConnection.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';
const MEDIA_HEAD = partHead({ name: 'media', filename: 'talk.raw' });

const HEAD = [
  `POST ${JOBS} HTTP/1.1`,
  'Host: localhost',
  `Authorization: Bearer ${TEST_TOKEN}`,
  `Content-Type: ${FORM_TYPE}`,
  'Content-Length: 1000000',
  '',
  MEDIA_HEAD,
].join('\r\n');

function spooledBytes(directory: string): number | undefined {
  const spool = join(directory, 'objects/.spool');
  const [file] = readdirSync(spool, { withFileTypes: true }).filter(entry => entry.isFile());
  return file && readFileSync(join(spool, file.name)).length;
}

describe('a slow upload', () => {
  const { bodySpanMs, bodySpanBytes } = LIMIT_DEFAULTS.http;

  test('continues while bytes arrive', { tags: 'slow' }, async () => {
    const { directory, clock, socket, answer } = await begin();
    for (let spans = 1; spans <= 10; spans++) {
      socket.write(Buffer.alloc(bodySpanBytes));
      await eventually(() => expect(spooledBytes(directory)).toBeGreaterThan((spans - 0.5) * bodySpanBytes));
      await clock.advanceAsync(bodySpanMs - 1);
    }
    expect(answer()).toBe('');
  });

  test('ends below the minimum rate, and leaves no file', { tags: 'slow' }, async () => {
    const { directory, clock, socket, answer } = await begin();
    const closed = closeOf(socket);
    socket.write(Buffer.alloc(bodySpanBytes * 2));
    await eventually(() => expect(spooledBytes(directory)).toBeGreaterThan(bodySpanBytes * 1.9));
    await clock.advanceAsync(bodySpanMs);
    expect(answer()).toBe('');
    socket.write(Buffer.alloc(bodySpanBytes / 2));
    await eventually(() => expect(spooledBytes(directory)).toBeGreaterThan(bodySpanBytes * 2.4));
    await clock.advanceAsync(bodySpanMs);
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer()).toContain('application/problem+json');
    await eventually(() => expect(spooledBytes(directory)).toBeUndefined());
  });

  async function begin() {
    const directory = await dataDirectory();
    const clock = new VirtualClock();
    const service = await startTestService({ dataDirectory: directory, clock });
    await service.ready;
    const socket = await rawConnection(service);
    let answer = '';
    socket.on('data', data => {
      answer += String(data);
    });
    socket.write(HEAD + 'x'.repeat(1000));
    await eventually(() => expect(spooledBytes(directory)).toBeDefined());
    return { directory, clock, socket, answer: () => answer };
  }
});

test('JSON that does not arrive ends with 408', async () => {
  const clock = new VirtualClock();
  const service = await startTestService({ clock });
  const socket = await rawConnection(service);
  let answer = '';
  socket.on('data', data => {
    answer += String(data);
  });
  const closed = closeOf(socket);
  const lines = HEAD.split('\r\n').slice(1, 3);
  socket.write(
    [
      `DELETE ${JOBS}/x HTTP/1.1`,
      ...lines,
      'Content-Type: application/json',
      'Content-Length: 10',
      '',
      '{',
    ].join('\r\n'),
  );
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  await eventually(async () => {
    await clock.advanceAsync(1000);
    expect(isClosed).toBe(true);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('a service without a store refuses jobs with the reason', async () => {
  const service = await startTestService();
  const answers = [
    await postMedia(service, JOBS),
    await postJson(service, JOBS, { media_url: 'http://127.0.0.1:9/' }),
    await postJson(service, '/sentiment_analysis/v1/jobs', { text: 'Fine.' }),
  ];
  for (const { status, json } of answers) {
    expect([status, json()]).toEqual([
      503,
      { title: 'Service Unavailable', status: 503, detail: expect.stringContaining('keeps no jobs') },
    ]);
  }
});

test('an account without enough credit gets its balance', async () => {
  const directory = await dataDirectory();
  const service = await startTestService({ dataDirectory: directory, adminToken: DESK_ADMIN_TOKEN });
  const seconds = 2.9 - INITIAL_BALANCE_SECONDS;
  await deskAdministration(service, 'POST', '/accounts/owner/credit', { seconds });
  const long = await postMedia(service, JOBS, speechFile(Array(40).fill(4)));
  expect([long.status, long.json()]).toEqual([
    403,
    {
      title: expect.any(String),
      status: 403,
      type: `${service.url}/errors/out-of-credit`,
      detail: expect.stringContaining('2 seconds'),
      current_balance: 2,
    },
  ]);
  expect(spooledBytes(directory)).toBeUndefined();
  expect((await postMedia(service, JOBS, speechFile(Array(20).fill(4)))).status).toBe(200);
});

test('a full disk is reported in JSON, and the partial file is removed', { tags: 'slow' }, async () => {
  const directory = await dataDirectory();
  const limited = join(directory, 'limited-node');
  // Like a full disk, this limits the size of any file written.
  writeFileSync(limited, `#!/bin/bash\nulimit -f ${40 * 1024}\nexec "${process.execPath}" "$@"\n`, {
    mode: 0o755,
  });
  const service = await startServiceProcess({ dataDirectory: directory, token: TEST_TOKEN }, limited);
  const answer = await upload(service.url, 60_000_000);
  expect(answer).toMatchObject({ status: 503, body: { title: 'Service Unavailable', status: 503 } });
  expect(answer.body.detail).toContain('no space left');
  expect(spooledBytes(directory)).toBeUndefined();
  expect((await upload(service.url, 1000)).status).toBe(200);
});

test('an upload of 400 MB takes little memory', { tags: 'slow' }, async () => {
  const directory = await dataDirectory();
  const service = await startServiceProcess({ dataDirectory: directory, token: TEST_TOKEN });
  const first = await upload(service.url, 5_000_000);
  await endOf(service, `${JOBS}/${first.body.id}`);
  const growth = await growthDuring(service.pid, async () => {
    expect((await upload(service.url, 400_000_000)).status).toBe(200);
  });
  expect(growth).toBeLessThan(150);
});

/** Yields a form with many bytes of noise, without holding them in memory. */
async function upload(
  url: string,
  bytes: number,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const request = httpRequest(url + JOBS, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': FORM_TYPE },
  });
  const answered = new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async response => {
      let text = '';
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode!, body: JSON.parse(text) });
    });
  });
  const piece = Buffer.alloc(1 << 20, 7);
  let onDrain = () => {};
  for (const event of ['drain', 'close']) request.on(event, () => onDrain());
  request.write(MEDIA_HEAD);
  const send = async () => {
    for (let sent = 0; sent < bytes && !request.destroyed; sent += piece.length) {
      const rest = piece.subarray(0, bytes - sent);
      if (request.write(rest)) continue;
      await new Promise<void>(resolve => {
        onDrain = resolve;
      });
    }
    request.end(FORM_END);
  };
  await Promise.race([send(), answered]);
  return answered;
}
