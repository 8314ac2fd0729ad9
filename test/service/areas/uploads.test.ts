import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FORM_TYPE, formBody, type Part, partHead } from '../../helpers/formBody.ts';
import { endOf, keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { bodyOf, closeOf, rawConnection, rawRequest } from '../../helpers/rawConnection.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';
const MEDIA: Part = { name: 'media', filename: 'talk.wav', type: 'audio/wav', body: speechFile() };
const OPTIONS: Part = { name: 'options', type: 'application/json', body: '{"metadata":"m"}' };

const dataDirectory = sharedDirectory();
const service = keptService({
  dataDirectory,
  limits: { http: { uploadBytes: 1_000_000, uploadsPerAccount: 2, lingerMs: 500 } },
});

function post(body: RequestInit['body'], type = FORM_TYPE, path = JOBS) {
  return request(service(), path, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
    duplex: 'half',
  });
}

/** Returns the files of uploads in progress, or left by a failure. */
const spooled = () =>
  readdirSync(join(dataDirectory, 'objects/.spool'), { withFileTypes: true }).filter(entry => entry.isFile());

async function expectNothingLeft(): Promise<void> {
  await eventually(() => expect(spooled()).toEqual([]));
}

/** Resolves with a job when it has ended: its results are files in progress too, which the tests below would count. */
async function ended({ id }: { readonly id: string }) {
  const job = await endOf(service(), `${JOBS}/${id}`);
  await expectNothingLeft();
  return job;
}

const head = (...lines: string[]) => [
  `POST ${JOBS} HTTP/1.1`,
  'Host: localhost',
  `Authorization: Bearer ${TEST_TOKEN}`,
  `Content-Type: ${FORM_TYPE}`,
  ...lines,
];

const HALF = [...head('Content-Length: 100000'), '', `${partHead(MEDIA)}${'x'.repeat(5000)}`].join('\r\n');

describe('a form', () => {
  test.each<[string, readonly Part[], string | undefined]>([
    ['with media alone', [MEDIA], undefined],
    ['with options after the media', [MEDIA, OPTIONS], 'm'],
    ['with options before the media', [OPTIONS, MEDIA], 'm'],
    ['with options that have no type', [MEDIA, { ...OPTIONS, type: undefined }], 'm'],
    ['with options that have another type', [{ ...OPTIONS, type: 'text/plain; charset=utf-8' }, MEDIA], 'm'],
    ['with options that are called a file', [MEDIA, { ...OPTIONS, filename: 'options.json' }], 'm'],
    ['with options that are called a configuration', [MEDIA, { ...OPTIONS, name: 'config' }], 'm'],
    [
      'with options, and a configuration that is no JSON',
      [{ ...OPTIONS, name: 'config', body: '{' }, MEDIA, OPTIONS],
      'm',
    ],
    ['with empty options', [MEDIA, { ...OPTIONS, body: '' }], undefined],
    ['with options that are null', [MEDIA, { ...OPTIONS, body: 'null' }], undefined],
    ['with media that has no type', [{ ...MEDIA, type: undefined }, OPTIONS], 'm'],
    ['with media of another type', [{ ...MEDIA, type: 'text/plain' }], undefined],
    [
      'with unknown parts',
      [
        { name: 'a', body: 'x'.repeat(200_000) },
        MEDIA,
        { ...MEDIA, name: 'b' },
        OPTIONS,
        { name: '', body: 'x' },
      ],
      'm',
    ],
  ])('%s', async (_, parts, metadata) => {
    const { status, json } = await post(formBody(parts));
    expect([status, json().metadata]).toEqual([200, metadata]);
    expect(await ended(json())).toMatchObject({ status: 'transcribed', duration_seconds: 0.6 });
  });

  test('without a Content-Length, to a path with a slash and a bare question mark', async () => {
    const pieces = formBody([MEDIA, OPTIONS]);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < pieces.length; at += 1000) controller.enqueue(pieces.subarray(at, at + 1000));
        controller.close();
      },
    });
    const { status, json } = await post(body, FORM_TYPE, `${JOBS}/?`);
    expect([status, json().metadata]).toEqual([200, 'm']);
    await ended(json());
  });

  test.each([
    ['talk.wav', 'talk.wav'],
    ['../../../etc/passwd', 'passwd'],
    ['C:\\talks\\talk.wav', 'talk.wav'],
    ['tälk.wav', 'tälk.wav'],
    ['a\u001b[31m.wav', 'a[31m.wav'],
    ['..', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is called by the base name of its file: %j', async (filename, name) => {
    const { status, json } = await post(formBody([{ ...MEDIA, filename }]));
    expect([status, json().name]).toEqual([200, name]);
    await ended(json());
  });

  test('with media that has no bytes is a job that fails', async () => {
    const { status, json } = await post(formBody([{ ...MEDIA, body: '' }]));
    expect(status).toBe(200);
    expect(await ended(json())).toMatchObject({ failure: 'empty_media' });
  });

  test.each<[string, readonly Part[], ...string[]]>([
    ['without media', [OPTIONS], 'media'],
    ['without parts', [], 'media'],
    ['with two media', [MEDIA, MEDIA], 'media'],
    ['with two options', [OPTIONS, OPTIONS, MEDIA], 'options'],
    ['with options that are no JSON', [MEDIA, { ...OPTIONS, body: '{' }], 'options'],
    ['with a configuration that is no JSON', [MEDIA, { ...OPTIONS, name: 'config', body: '{' }], 'config'],
    ['with a list as options', [MEDIA, { ...OPTIONS, body: '[]' }], 'options'],
    ['with wrong options', [MEDIA, { ...OPTIONS, body: '{"metadata":1,"rush":2}' }], 'metadata', 'rush'],
    ['with several faults', [{ ...OPTIONS, body: '{"metadata":1}' }], 'media', 'metadata'],
    ['with a part called __proto__', [{ ...MEDIA, name: '__proto__' }, MEDIA], 'request'],
    ['with a part called constructor', [MEDIA, { ...OPTIONS, name: 'constructor' }], 'request'],
  ])('%s is refused', async (_, parts, ...faults) => {
    const { status, json } = await post(formBody(parts));
    expect([status, Object.keys(json().parameters ?? {})]).toEqual([400, faults]);
    await expectNothingLeft();
  });

  test.each<[string, Uint8Array<ArrayBuffer>, string, string]>([
    ['with an empty body', new Uint8Array(0), FORM_TYPE, 'media'],
    ['without its end', formBody([MEDIA], ''), FORM_TYPE, 'request'],
    ['with half of a boundary', formBody([MEDIA], '\r\n--a-bound'), FORM_TYPE, 'request'],
    ['without a boundary', formBody([MEDIA]), 'multipart/form-data', 'request'],
    ['with another boundary', formBody([MEDIA]), 'multipart/form-data; boundary=other', 'request'],
  ])('%s is refused', async (_, body, type, fault) => {
    const { status, json } = await post(body, type);
    expect([status, Object.keys(json().parameters ?? {})]).toEqual([400, [fault]]);
    await expectNothingLeft();
  });

  test('with parts without end is refused', async () => {
    const { status } = await post(formBody(Array(500).fill({ name: 'x', body: '' })));
    expect(status).toBe(413);
  });

  test('with options that are too long is refused', async () => {
    const options = { ...OPTIONS, body: `"${'x'.repeat(1024 * 1024)}"` };
    expect((await post(formBody([MEDIA, options]))).status).toBe(413);
    await expectNothingLeft();
  });
});

describe('an upload that is too large', () => {
  test('is refused before it arrives, by its stated length', async () => {
    const answer = await rawRequest(service(), ...head('Content-Length: 1000001'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(answer)).toMatchObject({ title: 'Payload Too Large', status: 413 });
  });

  test.each<[string, string, string]>([
    ['before the first part', '', ''],
    ['of the media', partHead(MEDIA), ''],
    ['of an unknown part', partHead({ name: 'x' }), ''],
    ['after the last part', Buffer.from(formBody([MEDIA, OPTIONS])).toString('latin1'), ''],
    ['in the head of a part', `${partHead(MEDIA).split('\r\n')[0]}\r\n`, 'x-more: 1\r\n'],
  ])('counts bytes %s', async (_, start, repeated) => {
    const piece = repeated === '' ? new Uint8Array(50_000).fill(120) : Buffer.from(repeated.repeat(4000));
    let sentBytes = 0;
    const body = new ReadableStream({
      start: controller => controller.enqueue(Buffer.from(start, 'latin1')),
      pull(controller) {
        sentBytes += piece.length;
        // Without the limit the service would accept all of it.
        if (sentBytes > 20_000_000) controller.close();
        else controller.enqueue(piece);
      },
    });
    const { status, json } = await post(body);
    expect([status, json().title]).toEqual([413, 'Payload Too Large']);
    await expectNothingLeft();
  });

  test('is one byte above the limit, at which an upload is accepted', async () => {
    const form = formBody([MEDIA]);
    const body = (bytes: number) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(form);
          controller.enqueue(new Uint8Array(bytes - form.length));
          controller.close();
        },
      });
    const taken = await post(body(1_000_000));
    expect(taken.status).toBe(200);
    expect((await post(body(1_000_001))).status).toBe(413);
    await ended(taken.json());
  });
});

describe('an unfinished upload', () => {
  test('leaves nothing behind', async () => {
    const socket = await rawConnection(service());
    socket.write(HALF);
    await eventually(() => expect(spooled().length).toBe(1));
    socket.destroy();
    await expectNothingLeft();
  });

  test('holds its slot until it ends', async () => {
    const sockets = [await rawConnection(service()), await rawConnection(service())];
    for (const socket of sockets) {
      socket.write(HALF);
    }
    await eventually(() => expect(spooled().length).toBe(2));
    const third = await postMedia(service(), JOBS);
    expect([third.status, third.json().title]).toEqual([429, 'Too many requests']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    sockets[0]!.destroy();
    await eventually(async () => expect((await postMedia(service(), JOBS)).status).toBe(200));
    sockets[1]!.destroy();
    await expectNothingLeft();
  });
});

test('a refused client gets its answer while it sends, and is then disconnected', async () => {
  const socket = await rawConnection(service());
  const closed = closeOf(socket);
  let answer = '';
  socket.on('data', data => {
    answer += data;
  });
  socket.write(`${head('Transfer-Encoding: chunked').join('\r\n').replace(TEST_TOKEN, 'wrong')}\r\n\r\n`);
  const piece = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const send = () => void socket.write(piece, error => error ?? setImmediate(send));
  send();
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(bodyOf(answer)).toMatchObject({ status: 401 });
});
