import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { AudioConfig, RevAiApiClient, RevAiStreamingClient, SessionConfig } from 'revai-node-sdk';
import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { createWavReader } from '../../../src/audio/pcm/wav.ts';
import { messageText } from '../../../src/replay/cassette/cassetteLines.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { cli, type RunningProcess, startProcess } from '../../helpers/commandLine.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { testProgram } from '../../helpers/needs.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { SPEECH } from '../cassette/recordings.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;
const CASSETTE = join(SAMPLES, 'sense-and-sensibility.cassette.jsonl');
const WAV = join(SAMPLES, 'sense-and-sensibility.wav');
const CLIENT = new URL('streamClient.py', import.meta.url).pathname;

interface Printed {
  readonly url: string;
  readonly token: string;
}

async function printedBy(running: RunningProcess): Promise<Printed> {
  return JSON.parse(await running.line(/^\{/));
}

/** Samples of the recording, as they go on the wire. */
async function recordedSamples(): Promise<Buffer> {
  const { audio } = await readCassette(CASSETTE);
  const reader = createWavReader();
  const pieces: Uint8Array[] = [];
  for await (const bytes of audio!.bytes()) {
    const block = reader.push(bytes);
    if (block) pieces.push(encodePcm(block.samples, 'S16LE'));
  }
  return Buffer.concat(pieces);
}

async function recordedTexts(): Promise<readonly string[]> {
  const { lines } = await readCassette(CASSETTE);
  return lines.flatMap(line => (line.type === 'message' ? [messageText(line)] : []));
}

/** Streams samples by the public npm client, unmodified. */
async function sdkSession({ url, token }: Printed, samples: Uint8Array, language = 'en') {
  const baseUrl = new URL(url).origin;
  const deploymentConfig = { baseUrl, baseWebsocketUrl: baseUrl.replace('http', 'ws') };
  const audio = new AudioConfig('audio/x-raw', 'interleaved', 16_000, 'S16LE', 1);
  const client = new RevAiStreamingClient({ token, deploymentConfig }, audio);
  const closed = once(client, 'close');
  const connected = once(client, 'connect');
  const session = new SessionConfig();
  if (language !== '') session.language = language;
  const stream = client.start(session);
  const messages: unknown[] = [];
  stream.on('data', message => messages.push(message));
  await connected;
  // It sends ten chunks per second.
  for (let at = 0; at < samples.length; at += 64_000)
    stream.write(Buffer.from(samples.subarray(at, at + 64_000)));
  client.end();
  const [code] = await closed;
  return { messages: messages as { type: string; elements: { value: string }[] }[], code, deploymentConfig };
}

describe('the public npm client', () => {
  test.each([
    ['the language', 'en'],
    ['no language, which is the default', ''],
  ])('streams to play with %s, which finds no difference', async (_, language) => {
    await using running = startProcess(cli`play ${CASSETTE} --latency none --token test-of-play`);
    const printed = await printedBy(running);
    const http = printed.url.replace(/^ws/, 'http');
    const { messages, code } = await sdkSession({ ...printed, url: http }, await recordedSamples(), language);
    expect(code).toBe(1000);
    expect(messages).toEqual((await recordedTexts()).slice(1).map(text => JSON.parse(text)));
    running.interrupt();
    expect(await running.done).toMatchObject({ code: 0, stderr: '' });
  });

  test('streams and submits jobs through proxy, which prints and records no token', async () => {
    const directory = await dataDirectory();
    const service = await startTestService({ dataDirectory: directory, brand: 'rev' });
    const record = join(await temporaryDirectory(), 'sessions');
    await using running = startProcess(cli`proxy --url ${service.url} --record ${record}`);
    const { url } = await printedBy(running);
    const samples = new Uint8Array(SPEECH.buffer);
    const { messages, code, deploymentConfig } = await sdkSession({ url, token: TEST_TOKEN }, samples);
    expect(code).toBe(1000);
    const finals = messages.filter(({ type }) => type === 'final');
    const words = finals.flatMap(({ elements }) => elements.map(({ value }) => value)).join('');
    expect(words.toLowerCase()).toMatch(/w4 w7 w2.*w9 w5/);
    const api = new RevAiApiClient({ token: TEST_TOKEN, deploymentConfig });
    expect(await api.getAccount()).toMatchObject({ email: expect.any(String) });
    const [job] = await api.getListOfJobs();
    expect(await textFrom((await api.getTranscriptTextStream(job!.id)) as never)).toMatch(/w4 w7/i);
    running.interrupt();
    const { code: exitCode, stdout, stderr } = await running.done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).not.toContain(TEST_TOKEN);
    const { end, audio } = await readCassette(join(record, 'session-0001.cassette.jsonl'));
    expect([end?.frames, audio?.frames]).toEqual([SPEECH.length, SPEECH.length]);
  });
});

testProgram('a client in Python streams to play, which finds no difference', 'python3', async () => {
  await using running = startProcess(cli`play ${CASSETTE} --latency none`);
  const { url, token } = await printedBy(running);
  const env = { ...process.env, RXSCRIBE_TOKEN: token };
  const { stdout } = await promisify(execFile)('python3', [CLIENT, url, WAV], { env });
  expect(stdout.trim().split('\n')).toEqual([...(await recordedTexts()), '1000']);
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 0, stderr: '' });
});

testProgram('a client in Python gets the status of a fault of play', 'python3', async () => {
  await using running = startProcess(cli`play ${CASSETTE} --latency none --fault http-status,status=503`);
  const { url, token } = await printedBy(running);
  const env = { ...process.env, RXSCRIBE_TOKEN: token };
  const failed = promisify(execFile)('python3', [CLIENT, url, WAV], { env });
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('503') });
});
