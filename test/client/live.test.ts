import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../src/base/errors.ts';
import { type LiveInput, type LiveSession, live, type SpokenEvent } from '../../src/client/live.ts';
import { CLOSE } from '../../src/protocol/closeCodes.ts';
import { writePlainText } from '../../src/transcript/formats/plainText.ts';
import { blockAt } from '../helpers/streamBlocks.ts';
import {
  connectedMessage,
  finalMessage,
  partialMessage,
  type StreamPeer,
  startStreamService,
} from '../helpers/streamService.ts';

const FILE = 'samples/not-ill-disposed.wav';
const PCM = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;

/** Says a partial and a final, then ends. */
async function twoWords(peer: StreamPeer): Promise<void> {
  peer.say(connectedMessage, partialMessage('hel', 0, 1), finalMessage('Hello', 0, 1));
  await peer.endOfStream();
  peer.say(finalMessage('world', 1, 2));
  peer.close(CLOSE.endOfInput);
}

/** Says a partial and a final for each second of audio. */
async function wordASecond(peer: StreamPeer): Promise<void> {
  peer.say(connectedMessage);
  let bytes = 0;
  let second = 0;
  peer.socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return peer.close(CLOSE.endOfInput);
    for (bytes += data.length; second + 1 <= bytes / 32_000; second++) {
      const word = `word${second}`;
      peer.say(partialMessage(word, second, second + 1), finalMessage(word, second, second + 1));
    }
  });
}

async function eventsOf(session: LiveSession): Promise<readonly SpokenEvent[]> {
  const events: SpokenEvent[] = [];
  for await (const event of session) events.push(event);
  return events;
}

/** Arrays of a second of silence, counted as they are read. */
function seconds(count: number) {
  const source = {
    read: 0,
    hasEnded: false,
    async *arrays() {
      try {
        for (; source.read < count; source.read++) yield new Int16Array(16_000);
      } finally {
        source.hasEnded = true;
      }
    },
  };
  return source;
}

describe('live()', () => {
  test('gives the events of a file, each with its text', async () => {
    await using service = await startStreamService(twoWords);
    const events = await eventsOf(live(FILE, { url: service.url, token: 't' }));
    expect(events.map(({ type, text }) => [type, text]).filter(([type]) => type !== 'silence')).toEqual([
      ['connected', ''],
      ['partial', 'hel'],
      ['final', 'Hello'],
      ['final', 'world'],
    ]);
  });

  test.each<[string, () => LiveInput | Promise<LiveInput>]>([
    ['a Node stream', () => createReadStream(FILE)],
    ['a web stream', () => Readable.toWeb(createReadStream(FILE)) as ReadableStream<Uint8Array>],
    ['the body of a response', async () => new Response(await readFile(FILE)).body!],
    ['an async iterable', async () => Readable.from([await readFile(FILE)])],
    ['a source of blocks', () => of(blockAt(0, 16_000))],
  ])('reads %s', async (_, input) => {
    await using service = await startStreamService(twoWords);
    const transcript = await live(await input(), { url: service.url, token: 't' });
    expect(writePlainText(transcript)).toContain('Hello world');
    expect(service.peers[0]!.audio.length).toBeGreaterThan(20_000);
  });

  test('reads arrays of samples in their format', async () => {
    await using service = await startStreamService(twoWords);
    await live(seconds(2).arrays(), { url: service.url, token: 't', format: PCM });
    expect(service.peers[0]!.audio).toHaveLength(64_000);
  });

  test.each([
    ['null', null],
    ['bytes', new Uint8Array(2)],
    ['a number', 7],
  ])('refuses %s', (_, input) => {
    expect(() => live(input as unknown as LiveInput, { url: 'http://127.0.0.1:1', token: 't' })).toThrow(
      InvalidArgumentError,
    );
  });

  test('opens nothing before its first use, and can be used once', async () => {
    await using service = await startStreamService(twoWords);
    const session = live(FILE, { url: service.url, token: 't' });
    await turn();
    expect(service.peers).toHaveLength(0);
    await session;
    await expect(eventsOf(session)).rejects.toThrow('can be used once');
    await expect(Promise.resolve(session)).rejects.toThrow('can be used once');
    expect(service.peers).toHaveLength(1);
  });

  test('leaving the loop closes the connection and the input', async () => {
    await using service = await startStreamService(wordASecond);
    const source = seconds(1e6);
    for await (const { type } of live(source.arrays(), { url: service.url, token: 't', format: PCM })) {
      if (type === 'final') break;
    }
    await service.peers[0]!.closed;
    await expect.poll(() => source.hasEnded).toBe(true);
    expect(source.read).toBeLessThan(500);
  });

  test('a slow reader gets every final, and the input waits for it', async () => {
    await using service = await startStreamService(wordASecond);
    const source = seconds(1200);
    const finals: string[] = [];
    let most = 0;
    for await (const { type, text } of live(source.arrays(), { url: service.url, token: 't', format: PCM })) {
      if (type !== 'final') continue;
      finals.push(text);
      most = Math.max(most, source.read - finals.length);
      for (let i = 0; i < 5; i++) await turn();
    }
    expect(finals).toEqual(Array.from({ length: 1200 }, (_, i) => `word${i}`));
    expect(most).toBeLessThan(600);
  });

  test.each(['for await', 'await'])('ends with the reason of its signal, by %s', async form => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const controller = new AbortController();
    const source = seconds(1e6);
    const { signal } = controller;
    const session = live(source.arrays(), { url: service.url, token: 't', format: PCM, signal });
    const result = form === 'await' ? Promise.resolve(session) : eventsOf(session);
    await expect.poll(() => service.peers.length).toBe(1);
    controller.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    await service.peers[0]!.closed;
    await expect.poll(() => source.hasEnded).toBe(true);
  });

  test.each(['for await', 'await'])(
    'fails with the errors of its input and of the service, by %s',
    async form => {
      await using service = await startStreamService(peer => peer.close(CLOSE.unauthorized));
      const use = (input: LiveInput) => {
        const session = live(input, { url: service.url, token: 't' });
        return form === 'await' ? Promise.resolve(session) : eventsOf(session);
      };
      await expect(use('no/such/file.wav')).rejects.toMatchObject({ code: 'audio-missing' });
      await expect(use(FILE)).rejects.toMatchObject({ name: 'UnauthorizedError' });
    },
  );
});
