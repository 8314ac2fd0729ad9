// @module-tag slow

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ControlCommand, ControlState } from '../../../src/captions/control/captionControl.ts';
import {
  type OperatorDecisions,
  readDecisions,
  writeDecisions,
} from '../../../src/captions/control/operatorDecisions.ts';
import type { OperatorMessage } from '../../../src/captions/control/operatorMessage.ts';
import type { PageText } from '../../../src/captions/outputs/page/pageText.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { watch } from '../../captions/outputs/page/pageClient.ts';
import { type RunningProcess, runCommand, startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  connectedMessage,
  endPolitely,
  finalMessage,
  startStreamService,
} from '../../helpers/streamService.ts';

const SAMPLE = join(process.cwd(), 'samples/sense-and-sensibility.wav');
const TOKEN = 'a-token-of-the-operator';
const OPERATOR = ['--page', '0', '--operator-token', TOKEN];
const authorization = `Bearer ${TOKEN}`;

/** A service whose sessions say `Damn session 1.`, `Damn session 2.` and so on. */
async function speakingService() {
  const service = await startStreamService(async peer => {
    const number = service.peers.length;
    peer.say(connectedMessage);
    await peer.bytes(1);
    peer.say(finalMessage(`Damn session ${number}.`, 0.1, 0.5));
    await endPolitely(peer);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

/** A process of captions with its operator. */
interface Captions {
  readonly running: RunningProcess;
  readonly page: string;
  perform(command: ControlCommand, room?: string): Promise<Response>;
  /** Resolves with the state of now. */
  state(room?: string): Promise<ControlState>;
  /** Resolves when the process is gone. */
  kill(): Promise<unknown>;
}

async function startCaptions(args: readonly string[]): Promise<Captions> {
  const running = startProcess(['caption', ...args]);
  onTestFinished(() => running[Symbol.asyncDispose]());
  await running.errorLine(/^Operator: /);
  const page = (await running.errorLine(/^Captions: /)).replace('Captions: ', '');
  const address = (path: string, room?: string) =>
    new URL(`operator/${path}${room ? `?room=${room}` : ''}`, page);
  return {
    running,
    page,
    perform(command, room) {
      const body = JSON.stringify(command);
      // The page is open before the operator's routes are there.
      return eventually(async () => {
        const response = await fetch(address('command', room), {
          method: 'POST',
          headers: { authorization },
          body,
        });
        expect(response.status).not.toBe(404);
        return response;
      });
    },
    async state(room) {
      return eventually(async () => {
        const response = await fetch(address('events', room), { headers: { authorization } });
        expect(response.status).toBe(200);
        let text = '';
        for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
          text += part;
          const [, message] = /^data: (.*)\n\n/m.exec(text) ?? [];
          if (message === undefined) continue;
          const { room: own, rooms } = JSON.parse(message) as OperatorMessage;
          return rooms.find(({ name }) => name === own)!.state;
        }
        throw new Error('the connection ended');
      });
    },
    kill() {
      running.process.kill('SIGKILL');
      return running.done;
    },
  };
}

async function files() {
  const directory = await temporaryDirectory();
  const out = join(directory, 'talk.srt');
  return { directory, out, decisions: `${out}.operator.json` };
}

const textOf = ({ paragraphs }: PageText) => paragraphs.map(({ text }) => text).join(' ');

describe('captions after kill -9 and a restart', { timeout: 300_000 }, () => {
  test.each([
    ['kill', 'off'],
    ['pause', 'paused'],
  ] as const)('stay as they were after %s, say so, and go on at the start', async (type, mode) => {
    const service = await speakingService();
    const { out } = await files();
    const args = [SAMPLE, ...OPERATOR, '--continue', '--out', out, ...service.args];
    const first = await startCaptions(args);
    await eventually(async () => expect(await readFile(out, 'utf8')).toContain('session 1'));
    const sinceMs = Date.now();
    expect((await first.perform({ type })).status).toBe(200);
    await first.kill();
    const left = await readFile(out, 'utf8');

    // All of the audio passes.
    const { code, stdout, stderr } = await startProcess(['caption', ...args, '--speed', 'max']).done;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `^Captions are ${mode}, as the operator left them on .*\\. Start them on the operator's page\\.$`,
        'm',
      ),
    );
    expect(stdout).not.toContain('session');
    expect(service.peers).toHaveLength(1);
    expect(await readFile(out, 'utf8')).toBe(left);

    const second = await startCaptions(args);
    const viewer = await watch(second.page);
    const { leftAtMs, ...state } = await second.state();
    expect(state.mode).toBe(mode);
    expect(leftAtMs).toBeGreaterThanOrEqual(sinceMs);
    expect(leftAtMs).toBeLessThanOrEqual(Date.now());
    expect([textOf(viewer.text), service.peers.length]).toEqual([
      mode === 'off' ? '' : 'Damn session 1. [captions paused]',
      1,
    ]);
    expect((await second.perform({ type: 'start' })).status).toBe(200);
    await eventually(() => expect(textOf(viewer.text)).toContain('Damn session 2.'));
    await eventually(async () => expect(await readFile(out, 'utf8')).toMatch(/session 1[\s\S]*session 2/));
    expect(await second.state()).not.toHaveProperty('leftAtMs');
    // There is one notice for the time until then.
    expect(textOf(viewer.text).replace('[captions paused]', '')).not.toContain('[captions paused]');
    await second.kill();
    // Viewers read what the files have, unless a kill has removed it.
    const third = await startCaptions(args);
    const late = await watch(third.page);
    await eventually(() => expect(textOf(late.text)).toContain('session 3'));
    expect(
      textOf(late.text)
        .match(/session \d/g)
        ?.slice(0, 2),
    ).toEqual(mode === 'off' ? ['session 3'] : ['session 1', 'session 2']);
    await third.kill();
  });

  test('have the rules, phrases and language of the operator from the first word on', async () => {
    const service = await speakingService();
    const { out } = await files();
    const args = [SAMPLE, ...OPERATOR, '--language', 'en', '--continue', '--out', out, ...service.args];
    const first = await startCaptions(args);
    await eventually(async () => expect(await readFile(out, 'utf8')).toContain('Damn session 1'));
    for (const command of [
      { type: 'ban', text: 'damn' },
      { type: 'replace', text: 'session', by: 'talk' },
      { type: 'vocabulary', text: 'Willoughby' },
      { type: 'language', language: 'fr' },
    ] as const)
      expect((await first.perform(command)).status).toBe(200);
    await first.kill();
    const before = service.peers.length;
    const second = await startCaptions(args);
    const viewer = await watch(second.page);
    const text = `Talk ${before + 1}.`;
    await eventually(() => expect(textOf(viewer.text)).toBe(`Damn session 1. ${text}`));
    await eventually(async () => expect(await readFile(out, 'utf8')).toContain(text));
    const { query } = service.peers[before]!;
    expect(query.get('language')).toBe('fr');
    expect(JSON.parse(query.get('custom_vocabularies')!)).toEqual([{ phrases: ['Willoughby'] }]);
    expect(await second.state()).toMatchObject({
      mode: 'on',
      language: 'fr',
      banned: ['damn'],
      replaced: [{ text: 'session', by: 'talk' }],
      addedPhrases: ['Willoughby'],
    });
    await second.kill();
  });

  test('are typed by hand until the operator hands them back', async () => {
    const service = await speakingService();
    const { out } = await files();
    const args = [SAMPLE, ...OPERATOR, '--continue', '--out', out, ...service.args];
    const first = await startCaptions(args);
    expect((await first.perform({ type: 'take-over' })).status).toBe(200);
    await first.kill();
    const before = service.peers.length;
    const second = await startCaptions(args);
    await second.running.errorLine(
      /^Captions are typed by hand, as the operator left them on .*\. Hand them back/,
    );
    const viewer = await watch(second.page);
    await eventually(() => expect(service.peers[before]?.frames.length).toBeGreaterThan(3));
    expect((await second.perform({ type: 'type', text: 'By hand.' })).status).toBe(200);
    await eventually(() => expect(textOf(viewer.text)).toBe('By hand.'));
    expect(await second.state()).toMatchObject({ mode: 'on', isTyping: true });
    await second.kill();
  });

  test('never lose a command that was answered', async () => {
    const service = await speakingService();
    const { out } = await files();
    const args = [SAMPLE, ...OPERATOR, '--continue', '--out', out, ...service.args];
    let known: Omit<ControlState, 'outputs' | 'addedRules'> = {
      mode: 'on',
      isTyping: false,
      language: 'en',
      banned: [],
      replaced: [],
      addedPhrases: [],
    };
    const performed: string[] = [];
    for (let round = 1; round <= 20; round++) {
      const captions = await startCaptions(args);
      expect(await captions.state(), performed.join(', ')).toMatchObject(known);
      const { banned, replaced, addedPhrases, mode } = known;
      const outcomes: readonly (readonly [ControlCommand, Partial<ControlState>])[] = [
        [{ type: 'start' }, { mode: 'on' }],
        [{ type: 'pause' }, { mode: mode === 'on' ? 'paused' : mode }],
        [{ type: 'kill' }, { mode: 'off' }],
        [{ type: 'ban', text: `w${round}` }, { banned: [...banned, `w${round}`] }],
        [
          { type: 'replace', text: `w${round}`, by: 'w' },
          { replaced: [...replaced, { text: `w${round}`, by: 'w' }] },
        ],
        [{ type: 'vocabulary', text: `w${round}` }, { addedPhrases: [...addedPhrases, `w${round}`] }],
        ...banned
          .slice(0, 1)
          .map(text => [{ type: 'undo', rule: 'ban', text }, { banned: banned.slice(1) }] as const),
        [{ type: 'take-over' }, { isTyping: true }],
        [{ type: 'language', language: round % 2 ? 'de' : 'fr' }, { language: round % 2 ? 'de' : 'fr' }],
      ];
      const [command, change] = outcomes[Math.floor(Math.random() * outcomes.length)]!;
      expect((await captions.perform(command)).status).toBe(200);
      captions.running.process.kill('SIGKILL');
      performed.push(command.type);
      known = { ...known, ...change };
      await captions.running.done;
    }
    const last = await startCaptions(args);
    expect(await last.state(), performed.join(', ')).toMatchObject(known);
    await last.kill();
  });

  test('of two rooms are each as the operator left it, also of one without files', async () => {
    const service = await speakingService();
    const { directory } = await files();
    const config = join(directory, 'captions.yaml');
    await writeFile(
      config,
      `url: ${service.url}
token: t
page: 0
operator-token: ${TOKEN}
rooms:
  - { name: hall-1, input: '${SAMPLE}', out: ${directory}/one.vtt }
  - { name: hall-2, input: '${SAMPLE}' }
`,
    );
    const args = ['--config', config, '--continue'];
    const first = await startCaptions(args);
    expect((await first.perform({ type: 'ban', text: 'damn' }, 'hall-1')).status).toBe(200);
    expect((await first.perform({ type: 'kill' }, 'hall-2')).status).toBe(200);
    await first.kill();
    const second = await startCaptions(args);
    await second.running.errorLine(/^hall-2: Captions are off, as the operator left them/);
    expect(await second.state('hall-1')).toMatchObject({ mode: 'on', banned: ['damn'] });
    expect(await second.state('hall-2')).toMatchObject({ mode: 'off', banned: [] });
    await second.kill();
  });
});

describe('the decisions of an operator', () => {
  test.each([
    ['is cut off', '{"version":1,"decisi', 'it is not a complete file'],
    ['is empty', '', 'it is not a complete file'],
    ['is of another version', '{"version":2}', 'it is of version 2 instead of 1'],
    ['is not text', Buffer.from([0xff, 0xfe]), 'it is not text in UTF-8'],
    ['is too large', Buffer.alloc(64 * 1024 * 1024 + 1), 'it is larger than 64 MiB'],
  ])('are refused when their file %s, which stays as it is', async (_, content, reason) => {
    const { out, decisions } = await files();
    await writeFile(decisions, content);
    const access = ['--url', 'http://127.0.0.1:1', '--token', 't'];
    const { code, stderr } = await runCommand(['caption', SAMPLE, '--continue', '--out', out, ...access]);
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 2,
      lines: [expect.stringContaining(`error: Cannot continue '${decisions}': ${reason}`)],
    });
    expect(stderr).toContain("Remove the file to begin without the operator's decisions.");
    expect((await readFile(decisions)).equals(Buffer.from(content))).toBe(true);
  });

  test('have the language of the flags again when the service refuses theirs at the restart', async () => {
    await using service = await startStreamService(async peer => {
      if (peer.query.get('language') === 'xx') return peer.close(CLOSE.badRequest);
      peer.say(connectedMessage);
      await endPolitely(peer);
    });
    const { out, decisions } = await files();
    const left: OperatorDecisions = {
      atMs: 0,
      mode: 'on',
      isTyping: false,
      ban: ['damn'],
      replace: [],
      addedPhrases: [],
    };
    await writeDecisions(decisions, { ...left, language: 'xx' });
    const args = ['caption', SAMPLE, '--speed', 'max', '--continue', '--out', out, ...service.args];
    expect(await runCommand(args)).toMatchObject({ code: 5 });
    expect(readDecisions(decisions)).toEqual({ ...left, atMs: expect.any(Number) });
    expect(await runCommand(args)).toMatchObject({ code: 0 });
    expect(service.peers.map(({ query }) => query.get('language'))).toEqual(['xx', 'en']);
  });

  test('do not come back without --continue', async () => {
    const service = await speakingService();
    const { out } = await files();
    const args = [SAMPLE, ...OPERATOR, '--out', out, ...service.args];
    const first = await startCaptions(args);
    expect((await first.perform({ type: 'kill' })).status).toBe(200);
    await first.kill();
    for (const flag of ['--overwrite', '--continue']) {
      const next = await startCaptions([...args, flag]);
      expect(await next.state()).toMatchObject({ mode: 'on' });
      await next.kill();
    }
  });

  test('that cannot be written are in force, but reported as lost to the operator and on stderr', async () => {
    const service = await speakingService();
    const { out, decisions } = await files();
    await mkdir(decisions);
    const captions = await startCaptions([SAMPLE, ...OPERATOR, '--continue', '--out', out, ...service.args]);
    const response = await captions.perform({ type: 'kill' });
    const reason = `Cannot write '${decisions}'`;
    expect([response.status, await response.json()]).toEqual([
      500,
      { title: expect.stringContaining(`The command is performed, but a restart would undo it. ${reason}`) },
    ]);
    await captions.running.errorLine(/^warning: A restart would undo a command\. Cannot write /);
    expect(await captions.state()).toMatchObject({ mode: 'off' });
    await captions.kill();
  });
});
