import { createHash, randomBytes } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import type { DataSource } from '../../../src/client/jobs/mediaSource.ts';
import type { UploadProgress } from '../../../src/client/jobs/requestBody.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { socketServer } from '../../helpers/loopbackServer.ts';

const TOKEN = 'token-of-the-account';
const JOB = { id: 'a1', created_on: '2026-01-01T00:00:00.000Z', status: 'in_progress', type: 'async' };
const MIB = 1024 * 1024;

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A server that reads multipart bodies with a parser of the trade. */
async function startReceiver() {
  const app = fastify({ forceCloseConnections: true });
  await app.register(multipart, { limits: { fileSize: 2 ** 31 } });
  const parts: { name: string; value?: unknown; file?: Pick<MultipartFile, 'filename' | 'mimetype'> }[] = [];
  let headers: Record<string, unknown> = {};
  let media = '';
  app.post('/speechtotext/v1/jobs', async request => {
    headers = request.headers;
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        parts.push({ name: part.fieldname, value: part.value });
        continue;
      }
      parts.push({ name: part.fieldname, file: { filename: part.filename, mimetype: part.mimetype } });
      const hash = createHash('sha256');
      for await (const chunk of part.file) hash.update(chunk);
      media = hash.digest('hex');
    }
    return JOB;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return {
    client: createClient({ url, token: TOKEN }),
    parts,
    media: () => media,
    headers: () => headers,
  };
}

/** A source without end, which knows what became of it. */
function endless({ chunkBytes = 64 * 1024 } = {}) {
  const state = { bytes: 0, isClosed: false };
  async function* chunks() {
    try {
      for (;;) {
        state.bytes += chunkBytes;
        yield Buffer.alloc(chunkBytes);
        await setImmediate();
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, source: { data: chunks(), name: 'endless.wav' } satisfies DataSource };
}

async function mediaFile(bytes: Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), 'a talk.mp3');
  await writeFile(path, bytes);
  return path;
}

describe('an upload', () => {
  test('of a file has the options, then the media, and a content length', async () => {
    const receiver = await startReceiver();
    const bytes = randomBytes(3 * MIB + 7);
    const progress: UploadProgress[] = [];
    const job = await receiver.client.transcription.submit(
      { path: await mediaFile(bytes) },
      { skipDiarization: true, metadata: 'x', onProgress: state => progress.push(state) },
    );
    expect(job).toMatchObject({ id: 'a1', createdOn: JOB.created_on });
    expect(receiver.parts).toEqual([
      { name: 'options', value: { skip_diarization: true, metadata: 'x' } },
      { name: 'media', file: { filename: 'a talk.mp3', mimetype: 'audio/mpeg' } },
    ]);
    expect(receiver.media()).toBe(hashOf(bytes));
    expect(Number(receiver.headers()['content-length'])).toBeGreaterThan(bytes.length);
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.at(-1)).toEqual({ sentBytes: bytes.length, totalBytes: bytes.length });
    expect(progress.map(({ sentBytes }) => sentBytes)).toEqual(
      progress.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b),
    );
  });

  const bytes = randomBytes(100_000);
  test.each<[string, () => DataSource['data'], string, boolean]>([
    ['a blob', () => new Blob([bytes], { type: 'audio/flac' }), 'audio/flac', true],
    ['an array of bytes', () => bytes, 'audio/wav', true],
    ['a stream', () => Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]), 'audio/wav', false],
    [
      'a generator',
      async function* () {
        yield bytes;
      },
      'audio/wav',
      false,
    ],
  ])('accepts %s', async (_, data, mimetype, hasLength) => {
    const receiver = await startReceiver();
    const progress: UploadProgress[] = [];
    await receiver.client.transcription.submit(
      { data: data(), name: 'talk.wav' },
      { onProgress: state => progress.push(state) },
    );
    expect(receiver.media()).toBe(hashOf(bytes));
    expect(receiver.parts[1]).toEqual({ name: 'media', file: { filename: 'talk.wav', mimetype } });
    expect(receiver.headers()['content-length'] !== undefined).toBe(hasLength);
    expect(receiver.headers()['transfer-encoding']).toBe(hasLength ? undefined : 'chunked');
    expect(progress.at(-1)).toEqual({ sentBytes: 100_000, ...(hasLength && { totalBytes: 100_000 }) });
  });

  test('of a stream with a known size has a content length', async () => {
    const receiver = await startReceiver();
    const data = Readable.from([bytes]);
    await receiver.client.transcription.submit({ data, name: 'x', size: bytes.length });
    expect(Number(receiver.headers()['content-length'])).toBeGreaterThan(bytes.length);
    expect(receiver.parts[1]!.file!.mimetype).toBe('application/octet-stream');
  });

  test('escapes the name of its file', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    const client = createClient({ url: service.url, token: TOKEN });
    const name = 'a"; filename="b\r\nX-Evil: 1\r\n\r\nä';
    await client.transcription.submit({ data: bytes, name });
    expect(service.requests[0]!.body.toString()).toContain(
      'name="media"; filename="a%22; filename=%22b%0D%0AX-Evil: 1%0D%0A%0D%0Aä"\r\n',
    );
  });

  test('reads its source no faster than the connection sends, and closes it when aborted', async () => {
    const { url } = await socketServer(socket => socket.pause());
    const { source, state } = endless();
    const abort = new AbortController();
    const client = createClient({ url, token: TOKEN });
    const submitted = client.transcription.submit(source, { signal: abort.signal });
    let before = -1;
    // Until the kernel takes no more.
    while (state.bytes !== before) {
      before = state.bytes;
      for (let turn = 0; turn < 200; turn++) await setImmediate();
    }
    expect(state.bytes).toBeLessThan(16 * MIB);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(submitted).rejects.toBe(reason);
    await eventually(() => expect(state.isClosed).toBe(true));
  });

  const PROBLEM = JSON.stringify({ title: 'refused', status: 401 });
  const answerWith = (status: number, socket: Socket, afterwards: () => void) => {
    const lines = [
      `HTTP/1.1 ${status} No`,
      'Connection: close',
      `Content-Length: ${PROBLEM.length}`,
      '',
      PROBLEM,
    ];
    socket.pause();
    socket.write(lines.join('\r\n'), afterwards);
  };
  const ENDINGS: Readonly<Record<string, (status: number, socket: Socket) => void>> = {
    'closes at once': (status, socket) => answerWith(status, socket, () => socket.destroy()),
    'closes when it is sent': (status, socket) => {
      answerWith(status, socket, () => {});
      socket.destroySoon();
    },
    'reads nothing more': (status, socket) => answerWith(status, socket, () => {}),
  };
  test.each([
    [401, 'UnauthorizedError', 0, 'closes at once'],
    [401, 'UnauthorizedError', MIB, 'closes at once'],
    [401, 'UnauthorizedError', 0, 'closes when it is sent'],
    [413, 'PayloadTooLargeError', 5 * MIB, 'closes when it is sent'],
    [413, 'PayloadTooLargeError', MIB, 'reads nothing more'],
  ] as const)('is refused with %i (%s) after %i bytes by a service that %s', async (...row) => {
    const [status, name, afterBytes, ending] = row;
    const { url } = await socketServer(socket => {
      let bytes = 0;
      socket.on('data', data => {
        if (bytes <= afterBytes && bytes + data.length > afterBytes) ENDINGS[ending]!(status, socket);
        bytes += data.length;
      });
    });
    const client = createClient({ url, token: TOKEN });
    const path = await mediaFile(Buffer.alloc(20 * MIB));
    // A race, lost nearly always by what does not take care.
    for (let round = 0; round < 10; round++) {
      const { source, state } = endless();
      await expect(client.transcription.submit(source)).rejects.toMatchObject({ name, httpStatus: status });
      await eventually(() => expect(state.isClosed).toBe(true));
      await expect(client.transcription.submit({ path })).rejects.toMatchObject({ name });
    }
  });

  test('fails with the error of its source, and is not completed', async () => {
    const ends: boolean[] = [];
    const { url } = await socketServer(socket => {
      let text = '';
      socket.on('data', data => {
        text += data.toString('latin1');
      });
      socket.on('close', () => ends.push(text.includes('\r\n0\r\n\r\n')));
    });
    const cause = new Error('disk is gone');
    async function* broken() {
      yield Buffer.alloc(10);
      throw cause;
    }
    const client = createClient({ url, token: TOKEN });
    await expect(client.transcription.submit({ data: broken(), name: 'a.wav' })).rejects.toMatchObject({
      code: 'audio-missing',
      cause,
    });
    await eventually(() => expect(ends).toEqual([false]));
  });

  test.each([
    ['more', 99],
    ['less', 101],
  ])('fails when its source has %s bytes than stated', async (_, size) => {
    const { url } = await socketServer(socket => socket.resume());
    const client = createClient({ url, token: TOKEN });
    const data = Readable.from([Buffer.alloc(50), Buffer.alloc(50)]);
    await expect(client.transcription.submit({ data, size, name: 'a.wav' })).rejects.toMatchObject({
      code: 'audio-corrupt',
    });
    expect(data.destroyed).toBe(true);
  });

  test('of a file that grows meanwhile fails instead of being cut', async () => {
    const path = await mediaFile(Buffer.alloc(8 * MIB));
    const { url } = await socketServer(socket => {
      socket.once('data', () => appendFile(path, 'more').then(() => socket.resume()));
      socket.once('data', () => socket.pause());
    });
    const client = createClient({ url, token: TOKEN });
    await expect(client.transcription.submit({ path })).rejects.toMatchObject({ code: 'audio-corrupt' });
  });

  test('of text is refused', async () => {
    const { url } = await socketServer(socket => socket.resume());
    const client = createClient({ url, token: TOKEN });
    const data = Readable.from(['text']);
    await expect(client.transcription.submit({ data, name: 'a' })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });

  test('of a missing file, or without a token, sends no request', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    const directory = await temporaryDirectory();
    for (const path of [directory, join(directory, 'missing.wav')]) {
      await expect(transcription.submit({ path })).rejects.toMatchObject({ code: 'audio-missing' });
    }
    const data = Readable.from([bytes]);
    const broken = createClient({ url: service.url, token: () => Promise.reject(new Error('no token')) });
    await expect(broken.transcription.submit({ data, name: 'a' })).rejects.toMatchObject({
      name: 'UnauthorizedError',
    });
    expect(data.destroyed).toBe(true);
    expect(service.requests).toEqual([]);
  });

  test('waits for a slow source, but not for a service that sends nothing', async () => {
    const clock = new VirtualClock();
    let arrived = '';
    const { url } = await socketServer(socket =>
      socket.on('data', data => (arrived += data.toString('latin1'))),
    );
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* slow() {
      yield Buffer.from('first');
      await steps[0]!.promise;
      yield Buffer.from('second');
    }
    const client = createClient({ url, token: TOKEN, timeoutMs: 1000, clock });
    let error: unknown;
    const submitted = client.transcription.submit({ data: slow(), name: 'a' }).catch(thrown => {
      error = thrown;
    });
    await eventually(() => expect(arrived).toContain('first'));
    await clock.advanceAsync(60_000);
    expect(error).toBeUndefined();
    steps[0]!.resolve();
    await eventually(() => expect(arrived).toMatch(/second[\s\S]*0\r\n\r\n$/));
    await clock.advanceAsync(1001);
    await submitted;
    expect(error).toMatchObject({ name: 'RequestTimeoutError', code: 'timeout', retry: true });
    expect(clock.pending).toBe(0);
  });
});
