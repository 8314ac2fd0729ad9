import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../../src/audio/source/program.ts';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import { VOCABULARY_LIMITS } from '../../../src/protocol/limits.ts';
import {
  LANGUAGE_JOBS,
  LEGACY_JOBS,
  PLAIN_VOCABULARIES,
  SENTIMENT_JOBS,
  SPEECH_JOBS,
  VOCABULARIES,
} from '../../helpers/collections.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { bodyOf, closeOf, rawConnection } from '../../helpers/rawConnection.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;
const service = keptService({ limits: { http: { lingerBytes: 32 * MIB } } });

/** A path, and the size of a body that is too large for it. */
const BODIES = [
  [LANGUAGE_JOBS, 5 * MIB],
  [SENTIMENT_JOBS, 17 * MIB],
] as const;

/** Sends everything before reading anything, as blocking clients do. */
async function sendAll(socket: Socket, head: readonly string[], pieces: Iterable<string>): Promise<void> {
  const closed = closeOf(socket);
  socket.pause();
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (const piece of pieces) {
    if (socket.write(piece)) continue;
    const drained = Promise.withResolvers<void>();
    socket.once('drain', drained.resolve);
    await Promise.race([drained.promise, closed]);
    socket.off('drain', drained.resolve);
    if (socket.destroyed) return;
  }
}

function* pieces(bytes: number, size = 64 * 1024): Generator<string> {
  for (let at = 0; at < bytes; at += size) yield 'x'.repeat(size);
}

const headOf = (path: string, ...more: string[]) => [
  `POST ${path} HTTP/1.1`,
  'Host: localhost',
  `Authorization: Bearer ${TEST_TOKEN}`,
  'Content-Type: application/json',
  ...more,
];

async function answerOn(socket: Socket): Promise<string> {
  const [data] = await once(socket.resume(), 'data');
  return String(data);
}

describe.each(BODIES)('a client that sends too much to %s (%d bytes) reads why', (path, bytes) => {
  test('after sending all of it, and can continue', async () => {
    const socket = await rawConnection(service());
    await sendAll(socket, headOf(path, `Content-Length: ${bytes}`), pieces(bytes));
    const answer = await answerOn(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
    expect(bodyOf(answer)).toMatchObject({ status: 413, title: 'Payload Too Large' });
    await sendAll(socket, ['GET /health/live HTTP/1.1', 'Host: localhost'], []);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('without a stated length', async () => {
    const size = 64 * 1024;
    function* chunks() {
      for (const piece of pieces(bytes, size)) yield `${size.toString(16)}\r\n${piece}\r\n`;
      yield '0\r\n\r\n';
    }
    const socket = await rawConnection(service());
    await sendAll(socket, headOf(path, 'Transfer-Encoding: chunked'), chunks());
    expect(bodyOf(await answerOn(socket))).toMatchObject({ status: 413 });
  });

  test('with curl', { tags: 'tools' }, async context => {
    if (!findProgram('curl')) context.skip('needs curl');
    const file = join(await temporaryDirectory(), 'body.json');
    await writeFile(file, JSON.stringify({ text: 'x'.repeat(bytes) }));
    const headers = [`Authorization: Bearer ${TEST_TOKEN}`, 'Content-Type: application/json', 'Expect:'];
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--show-error', '--data-binary', `@${file}`, service().url + path],
      ...headers.flatMap(header => ['--header', header]),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 413 });
  });
});

test('an unwanted body is read up to a limit', async () => {
  const socket = await rawConnection(service());
  await sendAll(socket, headOf(LANGUAGE_JOBS, `Content-Length: ${1024 * MIB}`), pieces(1024 * MIB));
  expect(socket.destroyed).toBe(true);
  expect(socket.bytesWritten).toBeLessThan(128 * MIB);
});

/** Writes a number in letters, because the scripted recogniser refuses digits. */
const letters = (number: number) => String(number).replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!);

describe('vocabularies as large as the interface allows', { tags: 'slow' }, () => {
  const { vocabularies, phrases } = VOCABULARY_LIMITS;
  const custom_vocabularies = Array.from({ length: vocabularies }, (_, list) => ({
    phrases: Array.from({ length: phrases }, (_, index) => `Ill disposed ${letters(index)} ${letters(list)}`),
  }));

  test.each([
    [SPEECH_JOBS, { media_url: 'http://127.0.0.1:9/' }],
    [LEGACY_JOBS, { media_url: 'http://127.0.0.1:9/' }],
    [VOCABULARIES, {}],
    [PLAIN_VOCABULARIES, {}],
  ])('are accepted at %s', async (path, more) => {
    expect((await postJson(service(), path, { ...more, custom_vocabularies })).status).toBe(200);
  });

  test.each([SPEECH_JOBS, LEGACY_JOBS])('are accepted with an upload at %s', async path => {
    const { status, json } = await postMedia(service(), path, speechFile(), { custom_vocabularies });
    expect(status).toBe(200);
    expect((await endOf(service(), `${path}/${json().id}`)).status).toBe('transcribed');
  });

  test('are accepted from the typed client, and used by a job', async () => {
    const client = createClient({ url: service().url, token: TEST_TOKEN });
    const { id } = await client.vocabularies.submit(custom_vocabularies);
    await client.vocabularies.waitFor(id);
    const job = await client.transcription.submit(
      { data: speechFile(), name: 'a.wav' },
      { customVocabularyId: id },
    );
    expect(await client.transcription.waitFor(job)).toMatchObject({ customVocabularyId: id });
  });

  test('show at most 200 of their unusable phrases', async () => {
    const phrases = Array.from({ length: 6000 }, (_, index) => `Number ${index}`);
    const { json } = await postJson(service(), VOCABULARIES, { custom_vocabularies: ['fine', { phrases }] });
    const vocabulary = await endOf(service(), `${VOCABULARIES}/${json().id}`);
    expect([vocabulary.status, vocabulary.unusable_phrases.length]).toEqual(['complete', 200]);
  });
});

test.each([SPEECH_JOBS, LEGACY_JOBS])(
  'only JSON with vocabularies may exceed the general limit: %s',
  async path => {
    const body = { media_url: 'http://127.0.0.1:9/', more: 'x'.repeat(2 * MIB) };
    expect((await postJson(service(), path, body)).status).toBe(413);
    expect((await postJson(service(), path, { ...body, custom_vocabularies: null })).status).toBe(413);
    expect((await postJson(service(), path, { ...body, custom_vocabularies: ['a'] })).status).toBe(200);
  },
);
