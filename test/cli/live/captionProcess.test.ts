import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PageText } from '../../../src/captions/outputs/page/pageText.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { watch } from '../../captions/outputs/page/pageClient.ts';
import { installScript } from '../../helpers/childProcesses.ts';
import { type RunningCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startObs } from '../../helpers/obsServer.ts';
import { operatorCommand } from '../../helpers/operatorCommand.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  type StreamPeer,
  type StreamService,
  startStreamService,
} from '../../helpers/streamService.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
const TOKEN = 'a-token-of-the-operator';
/** The text format of Prometheus, version 0.0.4: the help and the type of each metric, then its samples. */
const METRICS = /^(?:# HELP (\w+) .+\n# TYPE \1 (?:counter|gauge)\n(?:\1(?:\{\w+=".*"\})? -?\d\S*\n)+)+$/;

/** The language that the operator sees. */
const LANGUAGE = /"language":"(.*?)"/;

/** Bytes of 20 s of audio, whose header announces more. */
const speech = (await readFile(SAMPLE)).subarray(0, 640_000);

interface Running extends RunningCommand {
  readonly service: StreamService;
  /** Address of the page. */
  readonly url: string;
  /** Waits for a session, counted from 0. */
  peer(index: number): Promise<StreamPeer>;
  /** Sends commands of the operator, one after the other; returns the status of the last answer. */
  operate(...commands: readonly object[]): Promise<number>;
  /** Returns the figure of a metric. */
  figure(name: string): Promise<number>;
  /** Returns the group of a pattern in the first message to the operator that has it. */
  operator(pattern: RegExp): Promise<string>;
  /** Returns the status of the health check, and the problem of the source. */
  health(): Promise<readonly [status: number, problem: string | undefined]>;
}

interface StartOptions {
  /** Default: standard input, which gives some speech at once, and stays open. */
  readonly input?: readonly string[];
  /** Returns whether connections fail. */
  readonly isAway?: () => boolean;
  /** Returns whether the service refuses the query of a stream. */
  readonly refuses?: (peer: StreamPeer) => boolean;
}

/** Starts captions with a page, by a service that says what the test says. */
async function start(args: readonly string[] = [], options: StartOptions = {}): Promise<Running> {
  const { input = ['-', '--speed', 'max'], isAway = () => false, refuses = () => false } = options;
  const service = await startStreamService(async peer => {
    if (isAway()) return peer.socket.terminate();
    if (refuses(peer)) return peer.close(CLOSE.badRequest);
    peer.say(connectedMessage);
    await endPolitely(peer);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const running = startCommand(
    [...['caption', ...input, '--page', '0', ...service.args], ...['--operator-token', TOKEN, ...args]],
    { stdin: speech, staysOpen: true },
  );
  const [, url] = /^Captions: (.*)$/.exec(await running.errorLine(/^Captions: /))!;
  const peer = async (index: number) => {
    await eventually(() => expect(service.peers.length).toBeGreaterThan(index));
    await service.peers[index]!.bytes(1);
    return service.peers[index]!;
  };
  const operate = async (...commands: readonly object[]) => {
    let status = 0;
    for (const command of commands) {
      status = await operatorCommand(url!, TOKEN, command);
    }
    return status;
  };
  const figure = async (name: string) => {
    const text = await (await fetch(new URL('metrics', url))).text();
    expect(text).toMatch(METRICS);
    return Number(new RegExp(`^rxscribe_captions_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1]);
  };
  const health = async () => {
    const response = await fetch(new URL('health', url));
    const { rooms } = (await response.json()) as { rooms: readonly { problem?: string }[] };
    return [response.status, rooms[0]!.problem] as const;
  };
  const operator = async (pattern: RegExp) => {
    const connection = new AbortController();
    const { body } = await fetch(new URL('operator/events', url), {
      headers: { authorization: `Bearer ${TOKEN}` },
      signal: connection.signal,
    });
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      const [, found] = pattern.exec(piece) ?? [];
      if (found === undefined) continue;
      connection.abort();
      return found;
    }
    throw new Error('There is no state.');
  };
  return { ...running, service, url: url!, peer, operate, figure, health, operator };
}

const textOf = ({ paragraphs }: PageText) => paragraphs.map(({ text }) => text).join(' ');

describe('a running process of captions', () => {
  test('prints what is to be set up for an output, but does not show it to the operator', async () => {
    const directory = await temporaryDirectory();
    await using running = await start(['--hls', directory, '--hls-clock', join(directory, 'video.m3u8')]);
    await running.errorLine(/^#EXT-X-MEDIA:TYPE=SUBTITLES/);
    await running.peer(0);
    expect(await running.operator(/"messages":\[(.*?)\]/)).not.toContain('EXT-X-MEDIA');
    // Standard output is no terminal here.
    expect(await running.operator(/"outputs":\[{"name":"(.*?)"/)).toBe('pipe');
  });

  test('shows a late viewer all words, and reports its health and figures', async () => {
    await using running = await start();
    const peer = await running.peer(0);
    peer.say(finalMessage('Hello', 0.2, 0.6));
    const viewer = await watch(running.url);
    await eventually(() => expect(textOf(viewer.text)).toBe('Hello'));
    const health = await fetch(new URL('health', running.url));
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }]);
    for (const name of ['words_total', 'connected', 'viewers']) expect(await running.figure(name)).toBe(1);
  });

  test('says where its operator finds the page', async () => {
    await using running = await start();
    const line = await running.errorLine(/^Operator: /);
    const response = await fetch(line.replace('Operator: ', ''));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  test('is unhealthy while the service is away', async () => {
    let isAway = false;
    await using running = await start([], { isAway: () => isAway });
    const peer = await running.peer(0);
    await eventually(async () => expect(await running.health()).toEqual([200, undefined]));
    isAway = true;
    peer.socket.terminate();
    await eventually(async () => expect(await running.health()).toEqual([503, 'no service']));
    isAway = false;
    await eventually(async () => expect(await running.health()).toEqual([200, undefined]));
  });

  test('is unhealthy while a microphone gives digital silence, which the operator reads', async () => {
    const script = 'head -c 400000 /dev/zero; while head -c 3200 /dev/zero; do sleep 0.1; done';
    await using _ = await installScript('arecord', script);
    await using running = await start([], { input: ['--mic'] });
    await running.peer(0);
    await eventually(async () => expect(await running.health()).toEqual([503, 'digital silence']));
    expect(await running.operator(/"text":"([^"]*digital silence[^"]*)"/)).toMatch(/muted/);
  });

  test('recognises a second device by itself, and names both', async () => {
    const script = `case "$*" in *'-D call'*) byte='\\042' ;; *) byte='\\021' ;; esac
      while head -c 3200 /dev/zero | tr '\\0' "$byte"; do sleep 0.1; done`;
    await using _ = await installScript('arecord', script);
    await using running = await start([], { input: ['--mic', '--also', 'call'] });
    const peers = [await running.peer(0), await running.peer(1)];
    const heardBy = async (byte: number) =>
      eventually(() => {
        const peer = peers.find(({ frames }) => Buffer.concat(frames).at(-1) === byte);
        expect(peer).toBeDefined();
        return peer!;
      });
    const [room, call] = [await heardBy(0x11), await heardBy(0x22)];
    const viewer = await watch(running.url);
    room.say(finalMessage('Good morning.', 0.2, 0.6));
    await eventually(() => expect(textOf(viewer.text)).toBe('>> Room: Good morning.'));
    call.say(finalMessage('Can you hear us?', 1.2, 1.6));
    await eventually(() =>
      expect(textOf(viewer.text)).toBe('>> Room: Good morning. >> Call: Can you hear us?'),
    );
  });

  test('removes everything from the page and from OBS when it is killed', async () => {
    const obs = await startObs();
    obs.addInput('Captions', 'text_ft2_source_v2');
    await using running = await start(['--obs', obs.url, '--obs-source', 'Captions']);
    const peer = await running.peer(0);
    peer.say(finalMessage('Secret', 0.2, 0.6));
    const viewer = await watch(running.url);
    await eventually(() => {
      expect(textOf(viewer.text)).toBe('Secret');
      expect(obs.textOf('Captions')).toContain('Secret');
    });
    expect(await running.operate({ type: 'kill' })).toBe(200);
    await eventually(() => {
      expect(textOf(viewer.text)).toBe('');
      expect(obs.textOf('Captions')).toBe('');
    });
    await peer.closed;
    expect(await running.operate({ type: 'start' })).toBe(200);
  });

  test('ends its session at a pause, and begins another one after it', async () => {
    await using running = await start([], { input: [SAMPLE] });
    const first = await running.peer(0);
    await running.operate({ type: 'pause' });
    await first.closed;
    const viewer = await watch(running.url);
    await eventually(() => expect(textOf(viewer.text)).toContain('[captions paused]'));
    await running.operate({ type: 'start' });
    const second = await running.peer(1);
    second.say(finalMessage('Back.', 0.1, 0.3));
    await eventually(() => expect(textOf(viewer.text)).toMatch(/Back\.$/));
  });

  test('shows text by rules, and typed text, on the page and in files', async () => {
    const out = join(await temporaryDirectory(), 'talk.txt');
    await using running = await start(['--out', out]);
    const peer = await running.peer(0);
    const viewer = await watch(running.url);
    await running.operate({ type: 'ban', text: 'darn' }, { type: 'replace', text: 'Jon', by: 'John' });
    peer.say(finalMessage('Jon', 0.2, 0.6), finalMessage('darn', 0.8, 1), finalMessage('speaks.', 1.2, 1.6));
    await eventually(() => expect(textOf(viewer.text)).toMatch(/^John .*speaks\.$/));
    expect(await running.operate({ type: 'take-over' }, { type: 'type', text: 'Typed words.' })).toBe(200);
    peer.say(finalMessage('unheard', 2, 2.4));
    await eventually(() => expect(textOf(viewer.text)).toMatch(/speaks\. Typed words\.$/));
    expect(await running.operate({ type: 'retract' }, { type: 'hand-back' }, { type: 'retract' })).toBe(409);
    peer.say(finalMessage('Again.', 25, 25.4));
    await eventually(() => expect(textOf(viewer.text)).toMatch(/speaks\. *Again\.$/));
    running.interrupt();
    expect(await running.done).toMatchObject({ code: 130 });
    const text = await readFile(out, 'utf8');
    expect(text).toMatch(/John .*speaks\.\n\n00:00:\d\d {4}Again\./);
    expect(text).not.toMatch(/darn|unheard|Typed/);
  });

  test('drops text that a delayed output has not shown yet', async () => {
    await using running = await start(['--delay', 'page=0.4']);
    const peer = await running.peer(0);
    const viewer = await watch(running.url);
    peer.say(finalMessage('Unsent', 0.2, 0.6));
    await eventually(async () => expect(await running.figure('words_total')).toBe(1));
    await running.operate({ type: 'unsend' });
    peer.say(finalMessage('Sent', 0.8, 1));
    await eventually(() => expect(textOf(viewer.text)).toBe('Sent'));
  });

  test('begins a session in another language when the operator chooses it', async () => {
    await using running = await start([], { input: [SAMPLE] });
    await running.peer(0);
    await running.operate({ type: 'language', language: 'fr' });
    // A stream without audio has asked whether the service takes the language.
    const { query } = await running.peer(2);
    expect(query.get('language')).toBe('fr');
  });

  test('stays in a language when the service refuses another one, within the session', async () => {
    const refuses = (peer: StreamPeer) => peer.query.get('language') === 'xx';
    await using running = await start([], { input: [SAMPLE], refuses });
    const peer = await running.peer(0);
    expect(await running.operate({ type: 'language', language: 'xx' })).toBe(409);
    expect(await running.operator(LANGUAGE)).toBe('en');
    const { length } = peer.frames;
    await eventually(() => expect(peer.frames.length).toBeGreaterThan(length));
    expect(running.service.peers).toHaveLength(2);
  });

  test('shows delayed captions in their time after an interruption, ends the page, and saves its files', async () => {
    const out = join(await temporaryDirectory(), 'talk.srt');
    await using running = await start(['--delay', 'page=0.4', '--out', out]);
    const peer = await running.peer(0);
    const viewer = await watch(running.url);
    peer.say(finalMessage('Hello.', 0.2, 0.6));
    await peer.bytes(speech.length / 2);
    running.interrupt();
    await peer.endOfStream();
    expect(await running.done).toMatchObject({ code: 130, stdout: expect.stringContaining('Hello. done') });
    await eventually(() => expect(viewer.text).toMatchObject({ isOver: true }));
    expect(textOf(viewer.text)).toBe('Hello. done');
    expect(await readFile(out, 'utf8')).toContain('done');
  });
});
