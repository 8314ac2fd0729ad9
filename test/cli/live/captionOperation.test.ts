// @module-tag slow

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { watch } from '../../captions/outputs/page/pageClient.ts';
import {
  jsonLines,
  type RunningCommand,
  runProcess,
  startCommand,
  startProcess,
} from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { operatorCommand } from '../../helpers/operatorCommand.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  startStreamService,
} from '../../helpers/streamService.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
const TOKEN = 'a-token-of-the-operator';

/** A service whose sessions say `s1.`, `s2.` and so on. */
async function countingService() {
  const service = await startStreamService(async peer => {
    const number = service.peers.length;
    peer.say(connectedMessage);
    await peer.bytes(1);
    peer.say(finalMessage(`s${number}.`, 0.1, 0.5));
    await endPolitely(peer);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

const pageOf = async (running: RunningCommand) =>
  (await running.errorLine(/^Captions: /)).replace('Captions: ', '');

const operate = (page: string, command: object) => operatorCommand(page, TOKEN, command);

test('a second interruption shows waiting captions at once', async () => {
  const service = await countingService();
  const running = startCommand(['caption', SAMPLE, '--page', '0', '--delay', 'page=600', ...service.args]);
  const viewer = await watch(await pageOf(running));
  await eventually(() => expect(service.peers[0]?.frames.length).toBeGreaterThan(0));
  running.interrupt();
  await running.errorLine(/^Delayed outputs show the last captions within 600 s\./);
  const again = setInterval(() => running.interrupt(), 300);
  const { code } = await running.done.finally(() => clearInterval(again));
  expect(code).toBe(130);
  await eventually(() => expect(viewer.text.paragraphs.map(({ text }) => text)).toEqual(['s1. done']));
});

test('a pause and another language are other sessions of one cassette, which can be read', async () => {
  const service = await countingService();
  const directory = join(await temporaryDirectory(), 'cassettes');
  const flags = ['--record', directory, '--page', '0', '--operator-token', TOKEN];
  await using running = startCommand(['caption', SAMPLE, ...flags, ...service.args]);
  const page = await pageOf(running);
  const hears = (session: number) =>
    eventually(() => expect(service.peers[session]?.frames.length).toBeGreaterThan(3));
  await hears(0);
  await operate(page, { type: 'pause' });
  await service.peers[0]!.closed;
  await operate(page, { type: 'start' });
  await hears(1);
  await operate(page, { type: 'language', language: 'fr' });
  // The one before has asked whether the service takes the language.
  await hears(3);
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 130 });
  const names = (await readdir(directory)).filter(name => name.endsWith('.jsonl')).toSorted();
  expect(names).toHaveLength(1);
  const { end, audio, lines } = await readCassette(join(directory, names[0]!));
  expect([end?.type, audio === undefined]).toEqual(['end', false]);
  expect(lines.filter(({ type }) => type === 'connect')).toHaveLength(3);
  expect(lines.filter(({ type }) => type === 'query').at(-1)).toMatchObject({ query: { language: 'fr' } });
});

test('a process that was ended by SIGTERM goes on in the same files', async () => {
  const service = await countingService();
  const out = join(await temporaryDirectory(), 'talk.srt');
  for (const session of [0, 1]) {
    await using running = startProcess(['caption', SAMPLE, '--continue', '--out', out, ...service.args]);
    await eventually(() => expect(service.peers[session]?.frames.length).toBeGreaterThan(3));
    running.process.kill('SIGTERM');
    expect(await running.done).toMatchObject({ code: 130, stderr: '' });
  }
  const lines = readSrt(await readFile(out, 'utf8')).map(cue => cue.lines.join(' '));
  expect(lines.join(' ')).toMatch(/s1\..*s2\./);
});

test.each(['the process of the service is killed', 'an operator wants it'])(
  'words go on by the standby when %s',
  async why => {
    const [first, standby] = await Promise.all([1, 2].map(() => startServiceProcess({ token: TEST_TOKEN })));
    const levels = Array.from({ length: 120 }, (_, index) => (index % 17 < 13 ? index + 1 : 0));
    const path = join(await temporaryDirectory(), 'speech.wav');
    await writeFile(path, wav(new Uint8Array(scriptedSpeech(levels).buffer)));
    const flags = ['--url', first!.url, '--token', TEST_TOKEN, '--skip-postprocessing', '--json'];
    await using running = startCommand([
      ...['caption', path, ...flags],
      ...['--standby', standby!.url, '--standby-token', TEST_TOKEN],
      ...['--page', '0', '--operator-token', TOKEN],
    ]);
    const page = await pageOf(running);
    await running.line(/"final"/);
    if (why.includes('killed')) await first!.end('SIGKILL');
    else expect(await operate(page, { type: 'service', service: 'standby' })).toBe(200);
    const { code, stdout } = await running.done;
    const lines = jsonLines(stdout);
    const words = lines
      .filter(({ type }) => type === 'final')
      .flatMap(({ elements }) => elements.filter((each: { type: string }) => each.type === 'text'))
      .map(({ value }) => value);
    expect(code).toBe(0);
    expect(lines.some(({ status, to }) => status === 'switched' && to === 'standby')).toBe(true);
    expect(words).toEqual(levels.filter(level => level > 0).map(level => `w${level}`));
  },
);

testRecognizer('a page that cannot be opened leaves no service behind', async () => {
  const { port } = await httpServer(() => {});
  const { code, stderr } = await runProcess(['caption', SAMPLE, '--page', String(port)]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('another program uses it') });
});
