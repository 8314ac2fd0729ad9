// @module-tag tools

import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chunk } from '../../../src/audio/chunk.ts';
import { pace } from '../../../src/audio/pace.ts';
import { fromFile } from '../../../src/audio/source/file.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { createOpenAiRecognizer } from '../../../src/engines/openai/recognizer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { keptService } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { type StreamRun, streamRun } from '../../helpers/streamRun.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

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

/** Answers of a server in place of words. */
const FAULTS: Readonly<Record<string, Handler>> = {
  'is gone': asked => void asked.socket.destroy(),
  'is starting': ending(503),
  fails: ending(500, '{"error":{"message":"CUDA out of memory"}}'),
  limits: ending(429, '', { 'retry-after': '0' }),
  'answers with a page': ending(200, '<html>'),
  'answers with half': ending(200, '{"text":"And'),
  'answers with nothing': ending(200),
  'has no text': ending(200, '{"words":[]}'),
  'has wrong times': ending(200, '{"text":1,"words":[{"word":"x","start":"a"}]}'),
  redirects: ending(502, '', { location: 'http://127.0.0.2:9/' }),
};

const textOf = ({ events }: StreamRun) =>
  finalWords(events)
    .map(({ value }) => value)
    .join(' ');

test('a server that fails in the middle of words costs none', { timeout: 300_000 }, async context => {
  await needsRecognizer(context);
  let handler = pass;
  const { url } = await httpServer((asked, response) => {
    // A client that leaves.
    response.on('error', () => {});
    handler(asked, response);
  });
  const recognizer = createOpenAiRecognizer({ url: `${url}/v1`, key: TEST_TOKEN });
  const service = await startTestService({ recognizer });
  const stream = () =>
    streamRun(fromFile(SPEECH).pipe(pace({ speed: 2 }), chunk()), {
      ...{ url: service.url, token: TEST_TOKEN, resume: { baseDelayMs: 10, maxDelayMs: 100 } },
    });
  const undisturbed = stream();
  expect(await undisturbed.end).toBeUndefined();
  const run = stream();
  const seen: string[] = [];
  const over = run.end.then(() => true);
  for (const [name, fault] of Object.entries(FAULTS)) {
    seen.push(name);
    handler = fault;
    await setTimeout(700);
    handler = pass;
    if (await Promise.race([over, setTimeout(600, false)])) break;
  }
  expect(await run.end).toBeUndefined();
  expect(seen.length).toBeGreaterThan(8);
  expect(textOf(run)).toBe(textOf(undisturbed));
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
