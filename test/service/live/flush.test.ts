import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Punctuator } from '../../../src/engines/punctuator.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { FLUSH_EVENT, FLUSHED_EVENT } from '../../../src/service/live/inbox.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { LimitedServiceOptions } from '../../helpers/limitedService.ts';
import { plainPunctuator } from '../../helpers/plainPunctuator.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, type StreamClient, type WireMessage } from '../../helpers/streamClient.ts';
import { advanceUntil, startTestService } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

type Send = typeof WebSocket.prototype.send;

/** A stream, the socket of the service that serves it, and the finals and answers of that in their order. */
async function openStream(options: Partial<LimitedServiceOptions> = {}, query = {}) {
  const service = await startTestService(options);
  const log: string[] = [];
  const { send } = WebSocket.prototype;
  onTestFinished(() => {
    WebSocket.prototype.send = send;
  });
  const served = new Promise<WebSocket>(resolve => {
    WebSocket.prototype.send = function first(this: WebSocket, ...args: Parameters<Send>) {
      resolve(this);
      WebSocket.prototype.send = send;
      this.send = ((...later: Parameters<Send>) => {
        const { type, elements }: WireMessage = JSON.parse(String(later[0]));
        if (type === 'final') log.push(elements.map(({ value }) => value).join(''));
        send.apply(this, later);
      }) as Send;
      send.apply(this, args);
    } as Send;
  });
  const client = await connectedStream(service, query);
  const socket = await served;
  socket.on(FLUSHED_EVENT, () => log.push(FLUSHED_EVENT));
  return { client, socket, log };
}

/** Sends speech, whose last word is part of a partial then. */
async function say(client: StreamClient, levels: readonly number[]): Promise<void> {
  client.send(scriptedSpeech(levels));
  const last = `w${levels.at(-1)}`;
  await client.message(
    ({ type, elements }) => type === 'partial' && elements.at(-1)?.value.toLowerCase() === last,
  );
}

/** Resolves when the service has read what the client has sent. */
async function isRead(client: StreamClient): Promise<void> {
  const ponged = once(client.socket, 'pong');
  client.socket.ping();
  await ponged;
}

async function flush(socket: WebSocket): Promise<void> {
  const flushed = once(socket, FLUSHED_EVENT);
  socket.emit(FLUSH_EVENT);
  await flushed;
}

test('a flush ends the utterance in progress, and the session goes on', async () => {
  const { client, socket, log } = await openStream();
  await say(client, [4, 7]);
  await flush(socket);
  expect(log).toEqual(['W4 w7.', 'flushed']);
  await say(client, [9, 2]);
  await flush(socket);
  expect(log).toEqual(['W4 w7.', 'flushed', 'W9 w2.', 'flushed']);
  expect((await client.finish(scriptedSpeech([5]))).code).toBe(1000);
  expect(client.finals().map(({ ts, end_ts }) => [ts, end_ts])).toEqual([
    [0, 0.2],
    [0.2, 0.4],
    [0.4, 0.5],
  ]);
});

test('a flush is answered where nobody speaks, and as often as it is asked for', async () => {
  const { client, socket, log } = await openStream();
  await flush(socket);
  await say(client, [4]);
  client.send(scriptedSpeech([0, 0, 0]));
  await client.message(({ type }) => type === 'final');
  for (let time = 0; time < 3; time++) socket.emit(FLUSH_EVENT);
  await eventually(() => expect(log).toEqual(['flushed', 'W4.', 'flushed', 'flushed', 'flushed']));
});

test.each([
  ['audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1'],
  ['audio/x-raw;layout=non-interleaved;rate=16000;format=S16LE;channels=1'],
  ['audio/x-wav', wav(new Uint8Array(0), {}, 16_000)],
])('a flush keeps its place in audio that waits: %s', async (contentType, head = new Uint8Array(0)) => {
  const { promise: mayWrite, resolve: write } = Promise.withResolvers<void>();
  const recognizer = createScriptedRecognizer({ beforeWrite: () => mayWrite });
  const { client, socket, log } = await openStream({ recognizer }, { content_type: contentType });
  client.send(head);
  for (const levels of [[4], [7, 9], [2]]) {
    client.send(scriptedSpeech(levels));
    await isRead(client);
    socket.emit(FLUSH_EVENT);
  }
  client.send(scriptedSpeech([5]));
  client.send('EOS');
  await isRead(client);
  // The audio has ended: what is left has its final at the end.
  socket.emit(FLUSH_EVENT);
  write();
  expect((await client.closed).code).toBe(1000);
  expect(log).toEqual(['W4.', 'flushed', 'W7 w9.', 'flushed', 'W2.', 'flushed', 'W5.']);
});

test('a flush is answered after its final, however slow that is written, and with speakers', async () => {
  const punctuator: Punctuator = {
    ...plainPunctuator,
    async punctuate(...given) {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      return plainPunctuator.punctuate(...given);
    },
  };
  const options = { punctuator, diarizer: createScriptedDiarizer() };
  const { client, socket, log } = await openStream(options, { enable_speaker_switch: true });
  await say(client, [4, 7]);
  await flush(socket);
  expect(log).toEqual(['W4 w7.', 'flushed']);
  expect((await client.message(({ type }) => type === 'final')).speaker_id).toBe(0);
});

test('a flush that the recogniser never ends is a recogniser that does not answer', async () => {
  const scripted = createScriptedRecognizer();
  const recognizer: typeof scripted = {
    ...scripted,
    open: async options => ({ ...(await scripted.open(options)), flush: () => new Promise(() => {}) }),
  };
  const clock = new VirtualClock();
  const { client, socket, log } = await openStream({ recognizer, clock });
  await say(client, [4]);
  socket.emit(FLUSH_EVENT);
  expect((await advanceUntil(clock, 1000, client.closed)).code).toBe(4013);
  expect(log).toEqual([]);
});

test('a client cannot flush', async () => {
  const { client, log } = await openStream();
  await say(client, [4]);
  client.send('flush');
  expect((await client.closed).code).toBe(1007);
  expect(log).toEqual([]);
});
