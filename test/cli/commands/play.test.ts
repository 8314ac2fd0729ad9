import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { cli, type RunningCommand, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;
const CASSETTE = join(SAMPLES, 'sense-and-sensibility.cassette.jsonl');
const WAV = join(SAMPLES, 'sense-and-sensibility.wav');

async function addressOf(running: RunningCommand): Promise<{ readonly url: string; readonly token: string }> {
  return JSON.parse(await running.line(/^\{/));
}

const caption = ({ url, token }: { readonly url: string; readonly token: string }) =>
  runCommand(cli`caption ${WAV} --speed max --json --url ${url} --token ${token}`);

const finalsIn = (text: string) => text.split('\n').filter(line => line.startsWith('{"type":"final"')).length;

test('play answers one client after the other from the beginning of the recording', async () => {
  await using running = startCommand(cli`play ${CASSETTE} --latency none --token test`);
  const server = await addressOf(running);
  expect(server).toEqual({ url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\//), token: 'test' });
  for (const _ of [1, 2]) expect(finalsIn((await caption(server)).stdout)).toBe(5);
  expect((await caption({ ...server, token: 'wrong' })).code).not.toBe(0);
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 0, stderr: '' });
});

test('play lets connections fail as --fault says, without a lost word', async () => {
  await using running = startCommand(
    cli`play ${CASSETTE} --latency none --fault cut,after_seconds=9 --fault 2:http-status,status=503`,
  );
  const { stdout, stderr } = await caption(await addressOf(running));
  expect(finalsIn(stdout)).toBe(5);
  expect(stdout + stderr).toMatch(/reconnecting/);
});

test('play prints the faults that never took place, with exit code 6', async () => {
  await using running = startCommand(cli`play ${CASSETTE} --fault 2:refuse`);
  await addressOf(running);
  running.interrupt();
  expect(await running.done).toMatchObject({
    code: 6,
    stderr: "the fault 'refuse' never took place\n",
  });
});

test('play prints how the audio of a client differs, with exit code 6', async () => {
  await using running = startCommand(cli`play ${CASSETTE} --latency none`);
  const { url, token } = await addressOf(running);
  await runCommand(
    cli`caption ${join(SAMPLES, 'not-ill-disposed.wav')} --speed max --url ${url} --token ${token}`,
  );
  running.interrupt();
  const { code, stderr } = await running.done;
  expect(stderr).toMatch(/connection 0: audio/);
  expect(code).toBe(6);
});

test('play speaks wss with a certificate, and cuts such connections, too', async () => {
  const { cert, key } = selfSignedCertificate();
  const directory = await suiteFolder({ 'cert.pem': cert, 'key.pem': key });
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  await using running = startCommand(
    cli`play ${CASSETTE} --tls-cert ${certFile} --tls-key ${keyFile} --fault cut,after_messages=1`,
  );
  const { url, token } = await addressOf(running);
  expect(url).toMatch(/^wss:/);
  const query = 'content_type=audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';
  const socket = new WebSocket(`${url}?access_token=${token}&${query}`, { ca: cert });
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message))).toMatchObject({ type: 'connected' });
  const [code] = await once(socket, 'close');
  expect(code).toBe(1006);
});

test.each([
  [['--fault', 'jam'], /must be \[NUMBER:\]KIND/],
  [['--fault', 'throttle,direction=up,bytes_per_second=1000'], /the kind must be one of cut, /],
  [['--fault', 'delay'], /is not possible: .*ms/],
  [['--fault', 'cut,after=3'], /is not possible: .*after/],
  [['--tls-cert', 'cert.pem'], /belong together/],
])('play %j is refused with exit code 2', async (flags, message) => {
  const { code, stderr } = await runCommand(['play', CASSETTE, ...flags]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('play of a file that is no cassette ends with exit code 3', async () => {
  expect((await runCommand(['play', WAV])).code).toBe(3);
});
