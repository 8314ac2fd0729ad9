import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { decodePcm, encodePcm } from '../../src/audio/pcm/pcm.ts';
import { resample } from '../../src/audio/resample/resample.ts';
import { fromFrames, textOf, transcribe } from '../../src/index.ts';
import { CLOSE } from '../../src/protocol/closeCodes.ts';
import { startProgram } from '../helpers/commandLine.ts';
import { readAudio } from '../helpers/readAudio.ts';
import { readSampleSpeech } from '../helpers/sampleSpeech.ts';
import {
  connectedMessage,
  finalMessage,
  polite,
  type StreamPeer,
  startStreamService,
} from '../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

const SAMPLE = new URL('../../samples/twilio-stream.ts', import.meta.url).pathname;
const SECRET = 'secret-path-of-the-test';
const CALL = `CA${'0123456789abcdef'.repeat(2)}`;
const MULAW = { sampleFormat: 'MULAW' } as const;
/** 20 ms at 8 kHz, as Twilio sends it. */
const PACKET_BYTES = 160;

/** Runs the sample until the test is over. */
async function startSample(url: string) {
  const env = { RXSCRIBE_URL: url, RXSCRIBE_TOKEN: TEST_TOKEN, STREAM_SECRET: SECRET, PORT: '0' };
  const running = startProgram([process.execPath, '--conditions=source', '--no-warnings', SAMPLE], { env });
  onTestFinished(() => running[Symbol.asyncDispose]());
  const { stdout, stderr } = running.process;
  const lines: Record<'out' | 'log', string[]> = { out: [], log: [] };
  createInterface(stdout!).on('line', line => lines.out.push(line));
  createInterface(stderr!).on('line', line => lines.log.push(line));
  const port = /port: (\d+)/.exec(await running.errorLine(/port: \d+/))![1];
  return { ...lines, address: `ws://127.0.0.1:${port}/` };
}

const startMessage = {
  event: 'start',
  start: {
    streamSid: 'MZ0',
    callSid: CALL,
    tracks: ['inbound'],
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
};

/** A connection as Twilio makes it, after `start`. */
async function call(address: string) {
  const socket = new WebSocket(address + SECRET);
  onTestFinished(() => socket.terminate());
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  send(startMessage);
  const media = (audio: Uint8Array, { track = 'inbound', fromMs = 0 } = {}) => {
    for (let at = 0; at < audio.length; at += PACKET_BYTES) {
      const payload = Buffer.from(audio.subarray(at, at + PACKET_BYTES)).toString('base64');
      send({ event: 'media', media: { track, timestamp: `${fromMs + at / 8}`, payload } });
    }
  };
  return { socket, closed, send, media };
}

/** The sample speech as a telephone carries it. */
async function telephoneSpeech(): Promise<Uint8Array> {
  const speech = fromFrames([readSampleSpeech('sense-and-sensibility')], { sampleRate: 16_000, channels: 1 });
  const { samples } = await readAudio(speech.pipe(resample({ sampleRate: 8000 })));
  return encodePcm(samples, 'MULAW');
}

function saysAfterAudio(ts: number, endTs: number) {
  return async (peer: StreamPeer) => {
    peer.say(connectedMessage);
    await peer.endOfStream();
    peer.say(finalMessage('last words', ts, endTs));
    peer.close(CLOSE.endOfInput);
  };
}

test('the audio of both tracks reaches the service as it is, each in a stream of its own', async () => {
  await using service = await startStreamService();
  const { address, out } = await startSample(service.url);
  const speech = await telephoneSpeech();
  const inbound = speech.subarray(0, 40 * PACKET_BYTES);
  const outbound = speech.subarray(40 * PACKET_BYTES, 90 * PACKET_BYTES);
  const { media, send } = await call(address);
  media(inbound);
  media(outbound, { track: 'outbound' });
  send({ event: 'stop' });
  await expect
    .poll(() => out.toSorted())
    .toEqual([`${CALL} inbound 0.00 done`, `${CALL} outbound 0.00 done`]);
  expect(service.peers.map(({ query }) => query.get('content_type'))).toEqual(
    Array(2).fill('audio/x-raw;layout=interleaved;rate=8000;format=MULAW;channels=1'),
  );
  const received = service.peers.map(({ audio }) => decodePcm(audio, MULAW));
  expect(received.toSorted((a, b) => a.length - b.length)).toEqual(
    [inbound, outbound].map(bytes => decodePcm(bytes, MULAW)),
  );
});

test('a call has the finals that a service gives for the same audio', async () => {
  const { url } = await startTestService();
  const { address, out } = await startSample(url);
  const speech = await telephoneSpeech();
  const direct = fromFrames([Int16Array.from(decodePcm(speech, MULAW), sample => sample * 32_768)], {
    sampleRate: 8000,
    channels: 1,
  }).pipe(transcribe({ url, token: TEST_TOKEN, language: 'en', sampleFormat: 'MULAW' }), toArray());
  const expected = (await lastValueFrom(direct)).flatMap(event =>
    event.type === 'final' ? [`${CALL} inbound ${event.ts.toFixed(2)} ${textOf(event.elements)}`] : [],
  );
  expect(expected.length).toBeGreaterThan(2);
  const { media, send } = await call(address);
  media(speech);
  send({ event: 'stop' });
  await expect.poll(() => out).toEqual(expected);
});

test('lost audio does not shift later words, and a hang-up without a close leaves no final out', async () => {
  // The service has read two seconds, the second of which is the fourth of the call.
  await using service = await startStreamService(saysAfterAudio(1.5, 1.9));
  const { address, out } = await startSample(service.url);
  const { media, socket } = await call(address);
  const second = (await telephoneSpeech()).subarray(0, 8000);
  media(second);
  media(second, { fromMs: 3000 });
  await expect.poll(() => service.peers[0]?.audio.length).toBe(16_000);
  socket.terminate();
  await expect.poll(() => out).toEqual([`${CALL} inbound 3.50 last words`]);
});

test('a malformed message closes its connection with a line in the log, and no other', async () => {
  await using service = await startStreamService(polite);
  const { address, out, log } = await startSample(service.url);
  const good = await call(address);
  const media = (text: string) => `{"event":"media","media":{${text}}}`;
  const faults = [
    ['no\nJSON', 1007, 'not valid JSON'],
    ['null', 1007, 'expected an event'],
    [JSON.stringify(startMessage), 1007, 'expected one start'],
    [media('"track":["inbound"]'), 1007, 'expected a track'],
    [media('"track":"inbound","timestamp":"-1"'), 1007, 'expected a timestamp'],
    [media('"track":"inbound","timestamp":"0"'), 1007, 'expected a payload'],
    ['x'.repeat(65_537), 1009, 'Max payload size exceeded'],
  ] as const;
  for (const [index, [text, code, reason]] of faults.entries()) {
    const bad = await call(address);
    bad.media(new Uint8Array(PACKET_BYTES));
    bad.socket.send(text);
    expect(await bad.closed).toBe(code);
    await expect.poll(() => log.filter(line => line.startsWith(`${CALL}: closed: `))).toHaveLength(index + 1);
    expect(log.at(-1)).toContain(reason);
  }
  good.media(new Uint8Array(PACKET_BYTES));
  good.send({ event: 'stop' });
  // Each call has had audio, and so a final.
  await expect.poll(() => out).toHaveLength(faults.length + 1);

  const stranger = new WebSocket(`${address}another-path`);
  const [error] = await once(stranger, 'error');
  expect(error.message).toContain('400');
});
