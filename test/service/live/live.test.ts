import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../../src/audio/source/program.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { capturedLog } from '../../helpers/observedService.ts';
import { clientFrame, closeOf, handshake, rawConnection } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream, RAW_16K, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { inverseStereo, wav } from '../../helpers/wavBytes.ts';

const SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9]);
const SAMPLE = new URL('../../../samples/not-ill-disposed.wav', import.meta.url);
const MIB = 1024 * 1024;

/** Returns the words of a stream that has ended, or ends with some audio. */
async function wordsOf(
  client: StreamClient,
  audio?: Int16Array | Uint8Array,
  pieceLength?: number,
): Promise<readonly string[]> {
  const closed = audio ? client.finish(audio, pieceLength) : client.closed;
  expect((await closed).code).toBe(1000);
  return client.finalWords();
}

/** A recogniser that accepts no audio until it is released. */
function heldRecognizer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { recognizer: createScriptedRecognizer({ beforeWrite: () => promise }), release: resolve };
}

/** Resolves when a socket could send nothing for a while. */
async function whenStalled(client: StreamClient): Promise<void> {
  for (let still = 0, last = -1; still < 200; ) {
    await setImmediate();
    still = client.socket.bufferedAmount === last ? still + 1 : 0;
    last = client.socket.bufferedAmount;
  }
}

describe('a session', () => {
  test('logs the parameters that have no effect, without their values, in one line', async () => {
    const log = capturedLog();
    const service = await startTestService({ logger: log.logger });
    const client = await connectedStream(service, { language: 'en', transcriber: 'human', tokn: 'secret' });
    await connectedStream(service, { metadata: 'm' });
    const lines = log.lines().filter(({ msg }) => msg === 'stream options without effect');
    expect(lines).toMatchObject([{ ignored: ['transcriber', 'tokn'], stream: await client.connected }]);
    expect(log.text()).not.toContain('secret');
  });

  test.each([
    ['raw audio', RAW_16K.replace('channels=1', 'channels=2'), (pcm: Uint8Array) => pcm],
    ['WAV', 'audio/wav', (pcm: Uint8Array) => wav(pcm, { channels: 2 })],
  ])(
    'of %s with inverse channels has the words of one, and a warning in its job',
    async (_kind, type, file) => {
      const service = await startTestService({ dataDirectory: await dataDirectory() });
      const client = await connectedStream(service, { content_type: type });
      const pcm = inverseStereo(scriptedSpeech([9, 4, 7, 0, 0, 0, 9]));
      expect((await wordsOf(client, file(pcm))).slice(1)).toEqual(['w4', 'w7', 'W9']);
      const job = await eventually(async () => {
        const found = (await request(service, `/speechtotext/v1/jobs/${await client.connected}`)).json();
        expect(found.status).toBe('transcribed');
        return found;
      });
      expect(job.warnings).toEqual([expect.stringMatching(/^Channels of the audio are inverse/)]);
    },
  );

  test('accepts audio sent before it is connected', async () => {
    const service = await startTestService({ recognizer: createScriptedRecognizer({ maxSessions: 1 }) });
    const first = await connectedStream(service);
    const client = connectStream(service);
    await client.opened;
    client.send(SPEECH);
    client.send('EOS');
    await new Promise(resolve => client.socket.ping(() => client.socket.once('pong', resolve)));
    expect(client.messages).toEqual([]);
    first.send('EOS');
    expect(await wordsOf(client)).toEqual(['W4', 'w7', 'W9']);
  });

  test('returns the same words for the same audio, however it is split', async () => {
    const service = await startTestService();
    const bytes = new Uint8Array(SPEECH.buffer);
    let confidences: readonly (number | undefined)[] = [];
    for (const size of [1, 999, 3201]) {
      const client = connectStream(service);
      expect(await wordsOf(client, bytes, size)).toEqual(['W4', 'w7', 'W9']);
      const heard = client.finals().flatMap(({ elements }) => elements.map(({ confidence }) => confidence));
      // The words are a hash of the samples.
      expect(heard).toEqual(confidences.length > 0 ? confidences : heard);
      confidences = heard;
    }
  });

  test('ignores audio and texts after the end of the stream', async () => {
    const client = connectStream(await startTestService());
    await client.opened;
    client.send(SPEECH);
    client.send('EOS');
    client.send(SPEECH);
    client.send('EOS');
    client.send('anything');
    expect(await wordsOf(client)).toEqual(['W4', 'w7', 'W9']);
  });

  test('passes the query to its recogniser, of a language without its region', async () => {
    const recognizer = createScriptedRecognizer();
    const client = await connectedStream(await startTestService({ recognizer }), {
      language: 'en-US',
      max_segment_duration_seconds: 5,
      custom_vocabularies: '[{"phrases":["ill disposed","Norland"]},"Dashwood"]',
    });
    expect(recognizer.opened[0]).toMatchObject({
      language: 'en',
      maxSegmentSeconds: 5,
      phrases: ['ill disposed', 'Norland', 'Dashwood'],
    });
    client.send(scriptedSpeech(new Array(60).fill(3)));
    await client.finish();
    expect(client.finals().map(({ ts, end_ts }) => [ts, end_ts])).toEqual([
      [0, 5],
      [5, 6],
    ]);
  });

  test('accepts a whole file in one message without blocking the service', async () => {
    const client = await connectedStream(await startTestService(), { delete_after_seconds: 0 });
    const words = Math.floor((20 * MIB) / 3200);
    client.send(scriptedSpeech(new Array(words).fill(3)));
    client.send('EOS');
    let isOver = false;
    const over = wordsOf(client).finally(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns++) await setImmediate();
    expect((await over).length).toBe(words);
    expect(turns).toBeGreaterThan(words / 10);
  });

  test.for([
    { contentType: 'audio/x-flac', format: ['-f', 'flac'] },
    { contentType: 'audio/*', format: ['-f', 'flac'] },
    { contentType: 'audio/*', format: ['-f', 'ogg', '-c:a', 'flac'] },
    { contentType: 'audio/x-wav', format: ['-f', 'wav'] },
    { contentType: 'audio/flac', format: ['-f', 'flac'] },
    { contentType: 'audio/ogg', format: ['-f', 'ogg', '-c:a', 'flac'] },
    { contentType: 'audio/mpeg', format: ['-f', 'mp3'], isLossy: true },
  ])(
    'decodes $contentType as ffmpeg writes it ($format)',
    { tags: 'tools' },
    async ({ contentType, format, isLossy }, context) => {
      if (!findProgram('ffmpeg')) context.skip('needs ffmpeg');
      const service = await startTestService();
      const encoded = execFileSync('ffmpeg', [
        ...['-loglevel', 'error', '-i', SAMPLE.pathname, ...format, 'pipe:1'],
      ]);
      const words = await wordsOf(connectStream(service, { content_type: contentType }), encoded, 5000);
      expect(words.length).toBeGreaterThan(10);
      if (isLossy) return;
      const wanted = connectStream(service, { content_type: 'audio/wav' });
      expect(words).toEqual(await wordsOf(wanted, readFileSync(SAMPLE)));
    },
  );
});

describe('back pressure', () => {
  test('pauses a client that sends faster than the recogniser accepts, without loss', {
    tags: 'slow',
  }, async () => {
    const { recognizer, release } = heldRecognizer();
    const client = await connectedStream(await startTestService({ recognizer }));
    const second = scriptedSpeech([...new Array(9).fill(3), 0]);
    const total = 48 * MIB;
    const messages = Math.floor(total / second.byteLength);
    for (let i = 0; i < messages; i++) client.send(second);
    client.send('EOS');
    await whenStalled(client);
    // The rest waits in the client, in the kernel's buffers, or in the service.
    expect(client.socket.bufferedAmount).toBeGreaterThan(total - 16 * MIB);
    release();
    expect((await wordsOf(client)).length).toBe(messages * 9);
  });

  test('pauses a client that waits for a recogniser', async () => {
    const service = await startTestService({ recognizer: createScriptedRecognizer({ maxSessions: 1 }) });
    const first = await connectedStream(service);
    const second = connectStream(service);
    await second.opened;
    const messages = 32;
    for (let i = 0; i < messages; i++) second.send(scriptedSpeech(new Array(327).fill(0).concat(5)));
    second.send('EOS');
    await whenStalled(second);
    expect(second.socket.bufferedAmount).toBeGreaterThan(12 * MIB);
    first.send('EOS');
    expect((await wordsOf(second)).length).toBe(messages);
  });

  test('counts messages and not only their bytes', async () => {
    const { recognizer, release } = heldRecognizer();
    const service = await startTestService({ recognizer, limits: { stream: { waitingBytes: 25_600 } } });
    // Planar messages are separate.
    const client = await connectedStream(service, { content_type: RAW_16K.replace('=i', '=non-i') });
    for (let i = 0; i < 1000; i++) client.send(new Uint8Array(2));
    for (let i = 0; i < 5; i++) await request(service, '/health/live');
    let pongs = 0;
    client.socket.on('pong', () => pongs++);
    client.socket.ping();
    for (let i = 0; i < 5; i++) await request(service, '/health/live');
    expect(pongs).toBe(0);
    release();
    await eventually(() => expect(pongs).toBe(1));
  });
});

describe('the queue for a recogniser', () => {
  test('is served in order, without clients that left', async () => {
    const service = await startTestService({ recognizer: createScriptedRecognizer({ maxSessions: 1 }) });
    const first = await connectedStream(service);
    const order: string[] = [];
    const waiting: StreamClient[] = [];
    for (const name of ['a', 'b', 'c']) {
      const client = connectStream(service);
      await client.opened;
      client.connected.then(
        () => order.push(name),
        () => {},
      );
      waiting.push(client);
    }
    waiting[0]!.socket.terminate();
    first.send('EOS');
    await waiting[1]!.connected;
    waiting[1]!.send('EOS');
    await waiting[2]!.connected;
    expect(order).toEqual(['b', 'c']);
  });

  test('still notices a client that ends, or breaks the protocol', async () => {
    const service = await startTestService({ recognizer: createScriptedRecognizer({ maxSessions: 1 }) });
    await connectedStream(service);
    const rude = connectStream(service);
    await rude.opened;
    rude.send('hello');
    expect((await rude.closed).code).toBe(1007);
  });
});

describe('a peer that is gone', () => {
  const path = `/speechtotext/v1/stream?access_token=${TEST_TOKEN}&content_type=${RAW_16K}`;

  test('is dropped after two unanswered pings', async () => {
    const clock = new VirtualClock();
    const recognizer = createScriptedRecognizer();
    const service = await startTestService({ clock, recognizer, limits: { stream: { idleMs: 1e9 } } });
    const socket = await rawConnection(service);
    socket.write(`${handshake(path).join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    socket.resume();
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.heartbeatMs);
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.heartbeatMs);
    expect(socket.closed).toBe(false);
    const closed = closeOf(socket);
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.heartbeatMs);
    await closed;
    for (let i = 0; recognizer.openSessions > 0; i++) {
      expect(i).toBeLessThan(1000);
      await setImmediate();
    }
  });

  test('differs from one that answers pings for hours, and from a paused one', async () => {
    const clock = new VirtualClock();
    const { recognizer, release } = heldRecognizer();
    const limits = { stream: { stallMs: 1e9, idleMs: 1e9 } };
    const service = await startTestService({ clock, recognizer, limits });
    const client = await connectedStream(service);
    // A ping is on its way when the socket is paused.
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.heartbeatMs);
    for (let i = 0; i < 8; i++) client.send(new Int16Array(MIB / 2));
    await whenStalled(client);
    for (let i = 0; i < 10; i++) {
      await clock.advanceAsync(LIMIT_DEFAULTS.stream.heartbeatMs);
      for (let turn = 0; turn < 50; turn++) await setImmediate();
    }
    release();
    client.send('EOS');
    expect((await advanceUntil(clock, 1, client.closed)).code).toBe(1000);
  });

  test('is dropped when it sends pings but never reads', async () => {
    // The clock does not move: neither idleness nor a heartbeat ends the session.
    const clock = new VirtualClock();
    const service = await startTestService({ clock });
    const socket = await rawConnection(service);
    socket.write(`${handshake(path).join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    const closed = closeOf(socket);
    const pings = Buffer.concat(new Array(10_000).fill(clientFrame('ping', new Uint8Array(125))));
    while (!socket.destroyed) {
      socket.write(pings);
      await setImmediate();
    }
    await closed;
    expect((await request(service, '/health/live')).status).toBe(200);
  });
});

describe('garbage', () => {
  test('on an open stream ends the stream and nothing else', async () => {
    const service = await startTestService();
    for (const garbage of [
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x82, 0x01, 0x00]),
      Buffer.from([0x81, 0x84, 0, 0, 0, 0, 0xff, 0xfe, 0xfd, 0xfc]),
      Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ]) {
      const client = await connectedStream(service);
      (client.socket as unknown as { _socket: import('node:net').Socket })._socket.write(garbage);
      expect([1002, 1006, 1007, 1009]).toContain((await client.closed).code);
    }
    const client = connectStream(service);
    expect(await wordsOf(client, SPEECH)).toEqual(['W4', 'w7', 'W9']);
  });
});
