import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SPEECH_JOBS, VOCABULARIES } from '../../helpers/collections.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FORM_TYPE, partHead } from '../../helpers/formBody.ts';
import { keptService, postJson } from '../../helpers/keptService.ts';
import { canReadMemory, growthDuring } from '../../helpers/processMemory.ts';
import { closeOf, rawConnection } from '../../helpers/rawConnection.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;
const PIECE = 'x'.repeat(MIB);
const chunk = (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`;
const OPTIONS = partHead({ name: 'options' });
const form = (body: string) => body.replace('application/json', FORM_TYPE);

/** Starts of a body of 31 MiB that never ends, by the way of sending. */
const WAYS: readonly (readonly [string, string, string, (piece: string) => string])[] = [
  ['of known length', headOf(`Content-Length: ${32 * MIB - 10}`), '"', piece => piece],
  ['in chunks', headOf('Transfer-Encoding: chunked'), chunk('"'), chunk],
  ['as options of a form', form(headOf('Transfer-Encoding: chunked')), chunk(OPTIONS), chunk],
];

function headOf(length: string, path = SPEECH_JOBS): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${TEST_TOKEN}`,
    'Content-Type: application/json',
    `${length}\r\n\r\n`,
  ].join('\r\n');
}

test.skipIf(!canReadMemory).each(WAYS)(
  'bodies that are held back hold no more memory than an account may: %s',
  { tags: 'slow' },
  async (_, head, start, asSent) => {
    // A busy machine must not take a body that is held back for a slow one.
    const limits = { http: { bodySpanMs: 120_000 } };
    const service = await startServiceProcess({ token: TEST_TOKEN, logLevel: 'silent', limits });
    const sent = `${head}${start}${asSent(PIECE).repeat(31)}`;
    const answers: string[] = [];
    const attack = async () => {
      const sockets = Array.from({ length: 20 }, () =>
        connect(Number(new URL(service.url).port), '127.0.0.1'),
      );
      for (const socket of sockets) {
        socket.on('error', () => {}).on('data', data => void answers.push(String(data)));
        socket.write(sent);
      }
      await eventually(() => expect(answers.length).toBeGreaterThanOrEqual(18));
      expect((await postJson(service, VOCABULARIES, {})).status).toBe(400);
      for (const socket of sockets) socket.destroy();
    };
    // Includes garbage of refused bodies; all of them would take 620.
    expect(await growthDuring(service.pid, attack)).toBeLessThan(450);
    expect(new Set(answers.map(answer => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 429']));
    expect(answers[0]).toMatch(/^retry-after: 10\r$/im);
    await eventually(async () => {
      expect((await postJson(service, VOCABULARIES, { more: 'x'.repeat(4 * MIB) })).status).toBe(413);
    });
  },
);

async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', data => {
    answer += data;
  });
  await closeOf(socket);
  return answer;
}

const slow = keptService({ limits: { http: { bodyMs: 500, bodySpanMs: 50, bodySpanBytes: 1 } } });

test('JSON that arrives too slowly is refused', async () => {
  const socket = await rawConnection(slow());
  const answer = answerOf(socket);
  socket.write(headOf('Transfer-Encoding: chunked'));
  const dripping = setInterval(() => socket.write(chunk('x')), 10);
  socket.once('close', () => clearInterval(dripping));
  const text = await answer;
  expect(text.match(/HTTP\/1.1 .../g), text).toEqual(['HTTP/1.1 408']);
});

test('a body that no route reads does not end the service when it is malformed or its client leaves', async () => {
  const service = await startServiceProcess({ token: TEST_TOKEN, logLevel: 'silent' });
  const port = Number(new URL(service.url).port);
  const send = async (coding: string, body: string) => {
    const socket = await rawConnection({ port });
    socket.write(`GET /health/ready HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`);
    return socket;
  };
  const answers = async () =>
    expect((await fetch(`${service.url}/health/live`)).status, service.log).toBe(200);
  for (const [coding, body] of [
    ['xchunked', ''],
    ['chunked', 'zz\r\n'],
  ] as const) {
    await once(await send(coding, body), 'data');
    await answers();
  }
  for (let client = 0; client < 120; client++) {
    const socket = await send('chunked', '5\r\nhel');
    setTimeout(() => socket.destroy(), client % 10);
    await closeOf(socket);
  }
  await answers();
});
