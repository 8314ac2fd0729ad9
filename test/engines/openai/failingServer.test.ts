// @module-tag tools

import { writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chunk } from '../../../src/audio/chunk.ts';
import { pace } from '../../../src/audio/pace.ts';
import { fromFile } from '../../../src/audio/source/file.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { createOpenAiRecognizer } from '../../../src/engines/openai/recognizer.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { keptService } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { joined, readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { type StreamRun, streamRun } from '../../helpers/streamRun.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SPEECH = fileURLToPath(new URL('../../../samples/sense-and-sensibility.wav', import.meta.url));

const back = keptService({
  recognizer: createMoonshineRecognizer({ processes: 1 }),
  doors: ['openai'],
  limits: { guesses: { perSecond: 1000, burst: 1000 } },
});

type Handler = (asked: IncomingMessage, response: ServerResponse) => void;

/** Passes a request on to the server. */
const pass: Handler = (asked, response) => {
  const { method, url, headers } = asked;
  const passed = httpRequest(back().url + url, { method, headers }, answer => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  asked.pipe(passed);
};

const ending = (status: number, body = '', headers: Record<string, string> = {}): Handler => {
  return (asked, response) => {
    asked.resume();
    response.writeHead(status, headers).end(body);
  };
};

/** Changes the answer of the server. */
const altered = (change: (answer: Answer) => unknown): Handler => {
  const answered = async (asked: IncomingMessage) => {
    const headers = { ...(asked.headers as Record<string, string>), 'accept-encoding': 'identity' };
    const body = new Uint8Array(await buffer(asked));
    const answer = await fetch(back().url + asked.url, { method: asked.method, headers, body });
    return JSON.stringify(change((await answer.json()) as Answer));
  };
  return (asked, response) =>
    // The client may leave while it asks.
    void answered(asked).then(
      text => response.end(text),
      () => response.destroy(),
    );
};

interface Answer {
  readonly words?: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

/** Changes the times of each word. */
const timed = (time: (start: number, end: number) => readonly [unknown, unknown]) =>
  altered(({ words, ...answer }) => ({
    ...answer,
    words: words?.map(({ start, end, ...word }) => {
      const [from, to] = time(start, end);
      return { ...word, start: from, end: to };
    }),
  }));

/** Writes without an end, until the client leaves. */
const endless =
  (piece: string, headers: Record<string, string> = {}): Handler =>
  (asked, response) => {
    asked.resume();
    response.writeHead(200, headers);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  };

/** Answers in bytes of its own. */
const raw =
  (bytes: string): Handler =>
  asked => {
    asked.resume();
    asked.socket.end(bytes);
  };

/** Faults of a server, of which none may cost a word. */
const FAULTS: Readonly<Record<string, Handler>> = {
  'is gone': asked => void asked.socket.destroy(),
  'is starting': ending(503),
  fails: ending(500, '{"error":{"message":"CUDA out of memory"}}'),
  'is overloaded': ending(529),
  limits: ending(429, '', { 'retry-after': '0' }),
  'limits by a date': ending(429, '', { 'retry-after': 'Wed, 21 Oct 2065 07:28:00 GMT' }),
  'limits for less than nothing': ending(429, '', { 'retry-after': '-9' }),
  'answers late': (asked, response) => void setTimeout(1500).then(() => pass(asked, response)),
  'leaves late': asked => void setTimeout(1500).then(() => asked.socket.destroy()),
  'leaves within the answer': (asked, response) => {
    asked.resume();
    response.writeHead(200, { 'content-length': 99 }).write('{"text":"And');
    setImmediate(() => response.destroy());
  },
  'speaks no HTTP': raw('SSH-2.0-OpenSSH_9.2\r\n'),
  'has endless headers': raw(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`),
  'has wrong chunks': raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  'never ends': endless(' '.repeat(65_536)),
  'is a bomb': (asked, response) => {
    asked.resume();
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
  },
  'is no gzip': ending(200, 'text', { 'content-encoding': 'gzip' }),
  'answers with a page': ending(200, '<html>'),
  'answers with half': ending(200, '{"text":"And'),
  'answers with nothing': ending(200),
  'answers with null': ending(200, 'null'),
  'nests without end': ending(200, '['.repeat(1_000_000)),
  'has no text': ending(200, '{"words":[]}'),
  'has too much text': ending(200, JSON.stringify({ text: 'a '.repeat(1_000_000) })),
  'has wrong types': ending(200, '{"text":1,"words":[{"word":"x","start":"a"}]}'),
  redirects: ending(502, '', { location: 'http://127.0.0.2:9/' }),
  'has no times': timed(() => [null, null]),
  'has times before the audio': timed((start, end) => [start - 1e6, end - 1e6]),
  'has times after the audio': timed((start, end) => [start + 1e300, end + 1e300]),
  'has times that go back': timed((start, end) => [end, start - 1]),
  'has one time for all': timed(() => [1e-9, 1e-9]),
  'is sure beyond belief': altered(({ words, ...answer }) => ({
    ...answer,
    words: words?.map(word => ({ ...word, probability: 1e9 })),
  })),
  'has another language': altered(answer => ({ ...answer, language: '\u001b[31m' })),
  'has fields of any kind': altered(answer => ({ ...answer, __proto__: 1, duration: [], usage: 'x' })),
};

const textOf = ({ events }: StreamRun) =>
  finalWords(events)
    .map(({ value }) => value)
    .join(' ');

test('faults of a server in the middle of words cost none', { timeout: 300_000 }, async context => {
  await needsRecognizer(context);
  const faults = Object.entries(FAULTS);
  const seen: string[] = [];
  let isFailing = false;
  const { url } = await httpServer((asked, response) => {
    // A client that leaves.
    response.on('error', () => {});
    // Every second request fails.
    isFailing = !isFailing && asked.method === 'POST' && isDisturbed;
    const [name, fault] = (isFailing && faults.shift()) || ['', pass];
    if (name) seen.push(name);
    fault(asked, response);
  });
  let isDisturbed = false;
  const recognizer = createOpenAiRecognizer({ url: `${url}/v1`, key: TEST_TOKEN });
  const service = await startTestService({ recognizer });
  const file = join(await temporaryDirectory(), 'speech.wav');
  const reading = readSampleSpeech('sense-and-sensibility');
  await writeFile(file, wav(new Uint8Array(joined(reading, reading, reading).buffer)));
  const stream = () =>
    streamRun(fromFile(file).pipe(pace({ speed: 2 }), chunk()), {
      ...{ url: service.url, token: TEST_TOKEN, resume: { baseDelayMs: 10, maxDelayMs: 100 } },
    });
  const undisturbed = stream();
  expect(await undisturbed.end).toBeUndefined();
  isDisturbed = true;
  const text = textOf(undisturbed);
  expect(text.split(' ').length).toBeGreaterThan(200);
  // A slow machine makes fewer requests in a stream.
  while (faults.length > 0) {
    const run = stream();
    expect(await run.end).toBeUndefined();
    expect(textOf(run), seen.join(', ')).toBe(text);
  }
  expect(seen).toEqual(Object.keys(FAULTS));
});

test('20 streams at once have the words of the engine', { timeout: 180_000 }, async context => {
  await needsRecognizer(context);
  const recognizer = createOpenAiRecognizer({ url: `${back().url}/v1`, key: TEST_TOKEN });
  const service = await startTestService({ recognizer, limits: { account: { streams: 20 } } });
  const sentence = fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
  const runs = Array.from({ length: 20 }, () =>
    streamRun(fromFile(sentence).pipe(pace(), chunk()), { url: service.url, token: TEST_TOKEN }),
  );
  for (const run of runs) {
    expect(await run.end).toBeUndefined();
    expect(textOf(run)).toBe('He was not an ill-disposed young man');
  }
});

test('a server that stays away makes the service not ready, until it is back', {
  timeout: 120_000,
}, async context => {
  await needsRecognizer(context);
  let handler = pass;
  const { url } = await httpServer((asked, response) => handler(asked, response));
  const service = await startTestService({
    recognizer: createOpenAiRecognizer({ url: `${url}/v1`, key: TEST_TOKEN }),
  });
  await service.ready;
  const ready = async () => (await request(service, '/health/ready')).json();
  expect(await ready()).toEqual({ status: 'ok' });
  handler = FAULTS['is starting']!;
  const run = streamRun(fromFile(SPEECH).pipe(pace({ speed: 2 }), chunk()), {
    ...{ url: service.url, token: TEST_TOKEN, resume: { baseDelayMs: 10, maxDelayMs: 100 } },
  });
  await eventually(async () => expect((await ready()).detail).toMatch(/waiting for: recogniser/));
  handler = pass;
  await eventually(async () => expect(await ready()).toEqual({ status: 'ok' }));
  expect(await run.end).toBeUndefined();
  expect(textOf(run)).toMatch(/^And Mr\. John Dashwood .* himself$/);
});
