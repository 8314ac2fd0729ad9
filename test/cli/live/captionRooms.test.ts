import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PageText } from '../../../src/captions/outputs/page/pageText.ts';
import { watch } from '../../captions/outputs/page/pageClient.ts';
import { runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { nodeProgram } from '../../helpers/hookedRun.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  type StreamPeer,
  startStreamService,
} from '../../helpers/streamService.ts';

const SAMPLE = join(process.cwd(), 'samples/not-ill-disposed.wav');
const YOUTUBE = 'http://127.0.0.1:1/closedcaption?cid=1';
const ACCESS = 'url: http://127.0.0.1:1\ntoken: t';

/** A service that greets each session by its metadata and ends it after `end`, and its flags in a configuration. */
async function greetingService() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const service = await startStreamService(async (peer: StreamPeer) => {
    peer.say(connectedMessage);
    await peer.bytes(1);
    peer.say(finalMessage(`Hello ${peer.query.get('metadata')}.`, 0.2, 0.6));
    await ended;
    await endPolitely(peer);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { service, end, settings: `url: ${service.url}\ntoken: t` };
}

const textOf = ({ paragraphs }: PageText) => paragraphs.map(({ text }) => text).join(' ');

/** Writes a configuration, `DIR` of which is its directory. */
async function configuration(text: string): Promise<{ readonly directory: string; readonly path: string }> {
  const directory = await temporaryDirectory();
  const path = join(directory, 'hall.yaml');
  await writeFile(path, text.replaceAll('DIR', directory));
  return { directory, path };
}

describe('captions by a configuration', () => {
  test('of several rooms have one page, outputs of their own, and go on when one fails', async () => {
    const { end, settings } = await greetingService();
    const { directory, path } = await configuration(`
${settings}
page: 0
speed: max
rooms:
  - { name: hall-1, input: '${SAMPLE}', metadata: one, out: DIR/one.srt }
  - { name: hall-2, input: '${SAMPLE}', metadata: two, out: DIR/two.txt }
  - { name: hall-3, input: DIR/missing.wav, out: DIR/three.txt }
`);
    await using running = startCommand(['caption', '--config', path]);
    const [, url] = /^Captions: (.*)$/.exec(await running.errorLine(/^Captions: /))!;
    await running.errorLine(/^hall-3: error: Cannot read '.*missing\.wav'/);
    const health = await fetch(new URL('health', url));
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { rooms: [{ name: 'hall-1' }, { name: 'hall-2' }, { name: 'hall-3', problem: 'failed' }] },
    ]);
    const viewers = await Promise.all(['hall-1/', 'hall-2/'].map(name => watch(new URL(name, url).href)));
    end();
    const { code, stdout, stderr } = await running.done;
    for (const name of ['hall-1', 'hall-2']) expect(stderr).toContain(`  ${url}${name}\n`);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([3, 'error: 1 of 3 rooms failed.']);
    await eventually(() =>
      expect(viewers.map(({ text }) => textOf(text))).toEqual(['Hello one. done', 'Hello two. done']),
    );
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'hall-1: Hello one. done',
      'hall-2: Hello two. done',
    ]);
    const files = ['one.srt', 'two.txt'].map(name => readFile(join(directory, name), 'utf8'));
    expect(await Promise.all(files)).toEqual([
      expect.stringContaining('Hello one.'),
      expect.stringContaining('Hello two.'),
    ]);
  });

  test('name the room of each fault, and the text of a hook', async () => {
    const { end, settings } = await greetingService();
    const hook = nodeProgram('process.exit(3)');
    const { path } = await configuration(`
${settings}
page: 0
speed: max
rooms:
  - { name: hall-1, input: '${SAMPLE}', youtube: '${YOUTUBE}' }
  - name: hall-2
    input: '${SAMPLE}'
    tracks: [{ name: de, hook: ${JSON.stringify(hook)}, youtube: '${YOUTUBE}2' }]
`);
    await using running = startCommand(['caption', '--config', path]);
    await running.errorLine(/^hall-1: Output youtube fails: /);
    await running.errorLine(/^hall-2: de: Output youtube fails: /);
    end();
    await running.errorLine(/^hall-2: de: The text hook fails: /);
    const { stderr } = await running.done;
    const ofAll = /^(Captions: | {2}http)/;
    const lines = stderr.trim().split('\n');
    expect(lines.filter(line => !ofAll.test(line) && !/^hall-[12]: /.test(line))).toEqual([]);
  });

  test('of tracks have a page and files with the text of their hook', async () => {
    const { end, settings } = await greetingService();
    const hook = nodeProgram('for await (const line of lines) console.log(line.replace("Hello", "Hallo"));');
    const { directory, path } = await configuration(`
${settings}
page: 0
speed: max
metadata: one
out: DIR/talk.srt
tracks:
  - { name: de, language: de, hook: ${JSON.stringify(hook)}, out: DIR/talk.de.srt }
`);
    await using running = startCommand(['caption', SAMPLE, '--config', path]);
    const [, url] = /^Captions: (.*)$/.exec(await running.errorLine(/^Captions: /))!;
    const viewer = await watch(new URL('de/', url).href);
    const { body } = await fetch(new URL('de/events', url));
    const { value } = await body!.pipeThrough(new TextDecoderStream()).getReader().read();
    // Viewers read 'Deutsch' beside the title.
    expect(value).toContain('"name":"de","title":"","language":"de"');
    end();
    const { code, stderr } = await running.done;
    expect([code, stderr]).toEqual([0, `Captions: ${url}\n  ${url}de\n`]);
    await eventually(() => expect(textOf(viewer.text)).toBe('Hallo one. done'));
    expect(await readFile(join(directory, 'talk.srt'), 'utf8')).toContain('Hello one.');
    expect(await readFile(join(directory, 'talk.de.srt'), 'utf8')).toContain('Hallo one.');
  });

  test('yield to flags of the command line', async () => {
    const { service, end, settings } = await greetingService();
    end();
    const { path } = await configuration(`
${settings}
speed: max
rooms:
  - { name: hall-1, input: '${SAMPLE}', metadata: one, language: fr }
`);
    const { code } = await runCommand(['caption', '--config', path, '--metadata', 'flag']);
    expect([code, service.peers[0]!.query.get('metadata'), service.peers[0]!.query.get('language')]).toEqual([
      0,
      'flag',
      'fr',
    ]);
  });
});

describe('captions that cannot begin', () => {
  test.each([
    ['--operator-token a-token-of-the-operator', '--operator-token requires --page.'],
    ['--public-url https://live.example', '--public-url requires --page.'],
    ['--page 0 --public-url live.example', 'The public address is not valid (allowed: '],
    ['--trust-proxy 10.0.0.0/8', '--trust-proxy requires --page.'],
    ['--page 0 --trust-proxy proxy', '--trust-proxy must be addresses or CIDRs of proxies'],
    ['--page 0 --operator-token short', "The operator's token must have 16 to 200"],
    [
      '--delay video=3',
      "option '--delay <output=seconds>' argument 'video=3' is invalid. Must be OUTPUT=VALUE",
    ],
    ['--delay obs=3', '--delay obs=3 requires --obs.'],
    ['--display page=block', '--display page=block requires --page.'],
    ['--json --delay terminal=3', '--delay terminal=3 cannot be used with --json.'],
    [`--youtube ${YOUTUBE} --delay youtube=45`, '--delay youtube=45 is too much: '],
    ['--obs ws://127.0.0.1:4455', '--obs requires --obs-source, --obs-captions or --obs-follow.'],
    ['--hls-clock video.m3u8', '--hls-clock requires --hls.'],
    ['--hook cat', '--hook requires --page'],
    ['--standby embedded', '--standby requires --url.'],
    ['--record package.json/cassettes', "Cannot record to 'package.json/cassettes': not a directory."],
    ['--page PORT', "Cannot open the page on '127.0.0.1', port PORT: another program uses it."],
  ])('end with one line: %s', async (flags, line) => {
    const { port } = await httpServer(() => {});
    const ofPort = (text: string) => text.replace('PORT', String(port));
    const { code, stdout, stderr } = await runCommand(['caption', SAMPLE, ...ofPort(flags).split(' ')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: ${ofPort(line)}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    ['rooms: []', 'The configuration has no rooms.'],
    ['rooms: [{ name: a, input: x }, { name: b }]', 'b: No input. Name a file'],
    ['rooms: [{ name: a, input: x }, { name: a, input: y }]', "Room 'a' is named twice."],
    [
      'out: DIR/a.srt\nrooms: [{ name: a, input: x }, { name: b, input: y }]',
      "File 'DIR/a.srt' is named twice.",
    ],
    [
      'obs: ws://127.0.0.1:1\nobs-source: C\nrooms: [{ name: a, input: x }, { name: b, input: y }]',
      "Source 'C' of 'ws://127.0.0.1:1' is named twice.",
    ],
    [
      `youtube: ${YOUTUBE}\nrooms: [{ name: a, input: x }, { name: b, input: y }]`,
      'Two texts have the same address for --youtube.',
    ],
    ['page: 0\nrooms: [{ name: operator, input: x }]', "The page has the name 'operator' already."],
    [
      'page: 0\nrooms: [{ name: a, input: x, tracks: [{ name: b, hook: cat }] }, { name: a-b, input: y }]',
      "The page has the name 'a-b' already.",
    ],
    [
      `${ACCESS}\nspool: kept\nrooms: [{ name: a, input: x }, { name: b, input: y }]`,
      "Spool 'kept' is named twice.",
    ],
  ])('by a configuration end with one line: %j', async (text, line) => {
    const { directory, path } = await configuration(text);
    const { code, stderr } = await runCommand(['caption', '--config', path]);
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 2,
      lines: [expect.stringContaining(`error: ${line.replace('DIR', directory)}`)],
    });
  });
});

test('variables that are empty, or are for a page that is not wanted, change nothing', async () => {
  const env = { RXSCRIBE_ZOOM_URL: '', RXSCRIBE_OPERATOR_TOKEN: 'a-token-of-the-operator' };
  const args = ['caption', 'missing.wav', '--url', 'http://127.0.0.1:9', '--token', 't'];
  const { code, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: "error: Cannot read 'missing.wav': there is no such file.\n",
  });
});
