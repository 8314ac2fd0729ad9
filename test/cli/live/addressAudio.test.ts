import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { cli, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { runFfmpeg } from '../../helpers/ffmpeg.ts';
import { startSender } from '../../helpers/liveSender.ts';
import { httpServer, rawServer } from '../../helpers/loopbackServer.ts';
import { testProgram } from '../../helpers/needs.ts';
import { polite, startStreamService } from '../../helpers/streamService.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
/** Bytes of the sample at 16 kHz. */
const SAMPLE_BYTES = readFileSync(SAMPLE).length - 44;
const SECRET = '?key=open-sesame';

afterEach(() => vi.unstubAllEnvs());

/** A service that takes what it is sent. */
async function listeningService() {
  let bytes = 0;
  const service = await startStreamService(async peer => {
    await polite(peer);
    bytes = peer.audio.length;
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { args: ['--url', service.url, '--token', 't'], bytes: () => bytes };
}

const answering = (content: Buffer, headers: Record<string, string | number>) =>
  httpServer((_, response) => void response.writeHead(200, headers).end(content));

test('the audio of an address is captioned, and nothing is left of it', async () => {
  const service = await listeningService();
  const sample = await readFile(SAMPLE);
  const { url } = await answering(sample, { 'content-length': sample.length });
  const TMPDIR = await temporaryDirectory();
  const args = ['caption', `${url}/talks/a.wav${SECRET}`, '--speed', 'max', ...service.args];
  vi.stubEnv('TMPDIR', TMPDIR);
  expect(await runCommand(args)).toMatchObject({ code: 0, stderr: '' });
  expect(service.bytes()).toBe(SAMPLE_BYTES);
  await eventually(() => expect(readdirSync(TMPDIR)).toEqual([]));
});

testProgram('a container with its index at the end is captioned from an address', 'ffmpeg', async () => {
  const service = await listeningService();
  const path = join(await temporaryDirectory(), 'talk.m4a');
  runFfmpeg('-i', SAMPLE, '-c:a', 'aac', path);
  const content = await readFile(path);
  const { url } = await answering(content, { 'content-length': content.length });
  const args = ['caption', `${url}/talk.m4a`, '--speed', 'max', ...service.args];
  expect(await runCommand(args)).toMatchObject({ code: 0, stderr: '' });
  expect(service.bytes()).toBeGreaterThan(SAMPLE_BYTES * 0.95);
});

test('an answer without a length is streamed as it arrives', async () => {
  const service = await listeningService();
  const sample = await readFile(SAMPLE);
  let rest: () => void = () => {};
  const { url } = await httpServer((_, response) => {
    response.writeHead(200).write(sample.subarray(0, sample.length / 2));
    rest = () => response.end(sample.subarray(sample.length / 2));
  });
  const args = ['caption', url, '--json', '--speed', 'max', ...service.args];
  await using running = startCommand(args);
  // Connected by the first half.
  await running.line(/"status".*"connected"/);
  rest();
  expect(await running.done).toMatchObject({ code: 0 });
  expect(service.bytes()).toBe(SAMPLE_BYTES);
});

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'refused',
    async () => (await httpServer((_, response) => void response.writeHead(404).end())).url,
    /Cannot fetch 'a\.wav': HTTP status 404\./,
  ],
  [
    'cut short',
    async () =>
      (
        await rawServer(socket => {
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nRIFF');
        })
      ).url,
    /Cannot fetch 'a\.wav': .+\./,
  ],
  ['nowhere', async () => 'http://127.0.0.1:1', /Cannot fetch 'a\.wav': .+\./],
])('an answer that is %s ends with code 3, and no secret of the address', async (_, at, reason) => {
  const service = await listeningService();
  const { code, stderr } = await runCommand(['caption', `${await at()}/a.wav${SECRET}`, ...service.args]);
  expect(stderr).toMatch(reason);
  expect(stderr).not.toMatch(/open-sesame|\n\s+at /);
  expect(code).toBe(3);
});

test('a password in an address is refused, and not shown', async () => {
  const { code, stderr } = await runCommand(['caption', 'https://me:open-sesame@example.org/a.wav']);
  expect(stderr).toMatch(/an address with a user name or password is not supported/);
  expect(stderr).not.toContain('open-sesame');
  expect(code).toBe(2);
});

testProgram('a radio station is captioned until Ctrl-C, also when it breaks', 'ffmpeg', async () => {
  const service = await listeningService();
  await using sender = startSender('-c:a', 'aac', '-f', 'adts', 'pipe:1');
  let listener: ServerResponse | undefined;
  sender.output.on('data', data => listener?.write(data));
  const { url } = await httpServer((_, response) => {
    response.writeHead(200, { 'icy-name': 'Test', 'content-type': 'audio/aac' });
    listener = response;
  });
  await using running = startCommand(['caption', `${url}/radio${SECRET}`, '--json', ...service.args]);
  await running.line(/"status".*"connected"/);
  listener!.destroy();
  await running.line(/"source-lost"/);
  await running.line(/"source-back"/);
  running.interrupt();
  const { code, stdout, stderr } = await running.done;
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  expect(stdout).not.toContain('open-sesame');
});

testProgram('a station of SHOUTcast, whose answer is not HTTP, is captioned', 'ffmpeg', async () => {
  const service = await listeningService();
  await using sender = startSender('-c:a', 'aac', '-f', 'adts', 'pipe:1');
  const { url } = await rawServer(socket => {
    socket.write('ICY 200 OK\r\nicy-name: Test\r\ncontent-type: audio/aac\r\n\r\n');
    sender.output.on('data', data => socket.writable && socket.write(data));
  });
  await using running = startCommand(['caption', `${url}/`, '--json', ...service.args]);
  await running.line(/"status".*"connected"/);
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 130, stderr: '' });
  expect(service.bytes()).toBeGreaterThan(0);
});

testProgram(
  'a live address that cannot be read ends with code 3, and no secret of the address',
  'ffmpeg',
  async () => {
    const service = await listeningService();
    const result = await runCommand(['caption', 'rtmp://127.0.0.1:1/live/open-sesame', ...service.args]);
    expect(result).toMatchObject({
      code: 3,
      stderr: "error: Cannot read 'rtmp://127.0.0.1:1': the connection was refused.\n",
    });
  },
);

test('a live address cannot be submitted as a job, and is not shown', async () => {
  const args = cli`transcribe rtmp://127.0.0.1:1/live/open-sesame --url http://127.0.0.1:1 --token t`;
  const { code, stderr } = await runCommand(args);
  expect(stderr).toMatch(/The address 'rtmp:\/\/127\.0\.0\.1:1' gives live audio\. .*rxscribe caption/);
  expect(stderr).not.toContain('open-sesame');
  expect(code).toBe(2);
});

test('Ctrl-C ends the fetching, and nothing is left of it', async () => {
  const service = await listeningService();
  let isAsked = false;
  const { url } = await httpServer((_, response) => {
    isAsked = true;
    response.writeHead(200, { 'content-length': 1e6 }).write(Buffer.alloc(1000));
  });
  const TMPDIR = await temporaryDirectory();
  vi.stubEnv('TMPDIR', TMPDIR);
  await using running = startCommand(['caption', `${url}/a.wav`, ...service.args]);
  await eventually(() => expect(isAsked).toBe(true));
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 130 });
  await eventually(() => expect(readdirSync(TMPDIR)).toEqual([]));
});
