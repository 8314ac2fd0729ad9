import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Service } from '../../../src/service/app.ts';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { cli, type RunningCommand, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const WAV = new URL('../../../samples/not-ill-disposed.wav', import.meta.url).pathname;
let service: Service;

beforeEach(async () => {
  service = await startTestService();
});

async function urlOf(running: RunningCommand): Promise<string> {
  return JSON.parse(await running.line(/^\{/)).url;
}

const caption = (url: string) =>
  runCommand(cli`caption ${WAV} --speed max --json --url ${url} --token ${TEST_TOKEN}`);

const finalsIn = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('{"type":"final"'))
    .map(line => JSON.parse(line).elements);

test('proxy lets connections fail as --fault says, without a lost word, and without the token in its output', async () => {
  await using running = startCommand(
    cli`proxy --url ${service.url} --fault cut,after_seconds=1 --fault 2:http-status,status=503`,
  );
  const { stdout, stderr } = await caption(await urlOf(running));
  expect(finalsIn(stdout)).toEqual(finalsIn((await caption(service.url)).stdout));
  expect(stdout + stderr).toMatch(/reconnecting/);
  running.interrupt();
  const ended = await running.done;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).not.toContain(TEST_TOKEN);
});

test('proxy records sessions that replay and play can use', async () => {
  const record = join(await temporaryDirectory(), 'sessions');
  await using running = startCommand(cli`proxy --url ${service.url} --record ${record}`);
  const through = await caption(await urlOf(running));
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 0, stderr: '' });
  for (const name of await readdir(record))
    expect(await readFile(join(record, name), 'latin1')).not.toContain(TEST_TOKEN);
  const replayed = await runCommand(cli`replay ${record} --max-wer 0`);
  expect(replayed).toMatchObject({ code: 0, stderr: '' });
  const cassette = join(record, 'session-0001.cassette.jsonl');
  await using playing = startCommand(cli`play ${cassette} --latency none --token ${TEST_TOKEN}`);
  const played = await caption(JSON.parse(await playing.line(/^\{/)).url);
  expect(finalsIn(played.stdout)).toEqual(finalsIn(through.stdout));
  expect(finalsIn(played.stdout)).not.toEqual([]);
});

test('proxy speaks https and wss with a certificate', async () => {
  const { cert, key } = selfSignedCertificate();
  const directory = await suiteFolder({ 'cert.pem': cert, 'key.pem': key });
  const files = cli`--tls-cert ${join(directory, 'cert.pem')} --tls-key ${join(directory, 'key.pem')}`;
  await using running = startCommand(cli`proxy --url ${service.url} ${files}`);
  const url = await urlOf(running);
  expect(url).toMatch(/^https:/);
  const query = 'content_type=audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';
  const path = `/speechtotext/v1/stream?access_token=${TEST_TOKEN}&${query}`;
  const socket = new WebSocket(url.replace('https', 'wss') + path, { ca: cert });
  socket.on('open', () => socket.send('EOS'));
  const code = await new Promise(resolve => socket.on('close', resolve));
  expect(code).toBe(1000);
});

test('proxy prints what was not recorded and which faults never took place, with exit code 6', async () => {
  const record = join(await temporaryDirectory(), 'sessions');
  await using running = startCommand(
    cli`proxy --url ${service.url} --record ${record} --fault 2:cut,after_seconds=1`,
  );
  const socket = new WebSocket(
    `${await urlOf(running)}/speechtotext/v1/stream?access_token=${TEST_TOKEN}&content_type=audio/x-flac`,
  );
  await new Promise(resolve => socket.on('open', resolve));
  await running.errorLine(/^Connection 1 is not recorded/);
  socket.terminate();
  running.interrupt();
  const { code, stderr } = await running.done;
  expect(stderr).toMatch(/1 session could not be recorded\nthe fault 'cut' never took place\n$/);
  expect(code).toBe(6);
});

test.each([
  [[], /--url/],
  [['--url', 'speech.example.org'], /must be an absolute URL/],
  [['--url', 'https://speech.example.org?access_token=x'], /must have no token/],
  [['--fault', 'drop'], /the kind must be one of cut, /],
  [['--fault', 'stall,direction=left'], /is not possible: .*direction/],
  [['--record', new URL('.', import.meta.url).pathname], /is not empty/],
  [['--tls-key', 'key.pem'], /belong together/],
])('proxy %j is refused with exit code 2', async (flags, message) => {
  const url = flags.length > 0 && flags[0] !== '--url' ? ['--url', 'http://127.0.0.1:1'] : [];
  const { code, stderr } = await runCommand(['proxy', ...url, ...flags]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
