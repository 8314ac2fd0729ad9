import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLOSE } from '../../src/protocol/closeCodes.ts';
import { type RunResult, startProcess } from '../helpers/commandLine.ts';
import { sharedDirectory } from '../helpers/dataDirectory.ts';
import { socketServer } from '../helpers/loopbackServer.ts';
import { connectedMessage, type StreamService, startStreamService } from '../helpers/streamService.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const directory = sharedDirectory();
const at = (name: string) => join(directory, name);

const LONG = ['--metadata', 'm'.repeat(600)];
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--token', 't'];
const STANDBY = ['--standby', 'http://127.0.0.1:1', '--standby-token', 't'];
const caption = ['caption', SAMPLE];
const record = ['record', SAMPLE, '--out', at('talk.cassette.jsonl')];

const room = (name: string, more = '') => `  - name: ${name}\n    input: ${SAMPLE}\n${more}`;
writeFileSync(
  at('rooms.yaml'),
  `rooms:\n${room('hall-1')}${room('hall-2', `    metadata: ${'m'.repeat(600)}\n`)}`,
);
// The place of the operator's decisions on talk.srt.
mkdirSync(at('talk.srt.operator.json'));

/** Command lines that cannot be run, their exit codes, and the start of the only line that they print. */
const UNUSABLE: readonly (readonly [name: string, args: readonly string[], code: number, message: RegExp])[] =
  [
    ['a long value', [...caption, ...LONG], 2, /^The stream query is not valid: metadata: /],
    ['one with --json', [...caption, ...LONG, '--json'], 2, /^The stream query/],
    ['one with a page', [...caption, ...LONG, '--page', '0'], 2, /^The stream query/],
    [
      'one with files',
      [...caption, ...LONG, '--out', at('new.srt'), '--record', at('new')],
      2,
      /^The stream/,
    ],
    [
      'one with a standby',
      [...caption, ...LONG, ...NOWHERE, '--standby', 'embedded'],
      2,
      /^The stream query/,
    ],
    ['one of two devices', ['caption', '--mic', '--also', 'x', ...LONG], 2, /^The stream query/],
    ['one of standard input', ['caption', '-', ...LONG], 2, /^The stream query/],
    ['one of a room', ['caption', '--config', at('rooms.yaml')], 2, /^hall-2: The stream query/],
    ['one of record', [...record, ...LONG], 2, /^The stream query/],
    ['an address', [...caption, ...NOWHERE, '--url', 'ftp://a'], 2, /^The service address 'url' must be/],
    ['the next address', [...caption, ...NOWHERE, '--next-url', 'ftp://a'], 2, /^The service address/],
    [
      'that of a standby',
      [...caption, ...NOWHERE, ...STANDBY, '--standby', 'ftp://a'],
      2,
      /^The service addr/,
    ],
    [
      'no time for a standby',
      [...caption, ...NOWHERE, ...STANDBY, '--give-up-after', '0'],
      2,
      /^--give-up-a/,
    ],
    [
      'a place of record',
      ['record', SAMPLE, '--out', at('missing/talk.jsonl')],
      2,
      /^--out must be a place /,
    ],
    [
      'earlier decisions',
      [...caption, ...NOWHERE, '--out', at('talk.srt')],
      4,
      /^Cannot remove the earlier d/,
    ],
  ];

/** Runs a command line to its end, with standard input that stays open. A process that hangs is killed with the test. */
async function ended(args: readonly string[]): Promise<RunResult> {
  const running = startProcess(args, { staysOpen: true });
  onTestFinished(() => running[Symbol.asyncDispose]());
  return running.done;
}

/** Starts a service that says only these messages. */
async function silentService(...messages: readonly unknown[]): Promise<StreamService> {
  const service = await startStreamService(peer => peer.say(...messages));
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

describe('a command that is refused before the first audio', { tags: 'slow' }, () => {
  test.each(UNUSABLE)('ends at once for what cannot be used: %s', async (_, args, exitCode, message) => {
    const { code, stdout, stderr } = await ended(args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr.slice('error: '.length)).toMatch(message);
  });

  test.each([
    ['unauthorized', caption],
    ['badRequest', [...caption, '--page', '0']],
    ['badRequest', [...caption, '--record', at('refused')]],
    ['outOfCredit', [...caption, '--out', at('refused.srt'), '--hook', 'cat', '--page', '0']],
    ['badRequest', ['record', SAMPLE, '--out', at('refused.cassette.jsonl')]],
  ] as const)('ends with the code of a refusal when the service closes as %s: %j', async (name, args) => {
    await using service = await startStreamService(peer => peer.close(CLOSE[name]));
    const { code, stderr } = await ended([...args, ...service.args]);
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringMatching(/^error: The stream ended without a transcript: .* 400\d/m),
    });
  });

  test.each([
    ['accepts connections and says nothing', async () => (await socketServer(() => {})).url, 'handshake'],
    ['is never ready', async () => (await silentService()).url, '`connected`'],
    ['has no words', async () => (await silentService(connectedMessage)).url, 'the rest of the transcript'],
  ])('is given up after --give-up-after when the service %s', async (_, address, awaited) => {
    const limits = ['--give-up-after', '5', '--speed', 'max'];
    const { code, stderr } = await ended([...caption, '--url', await address(), '--token', 't', ...limits]);
    expect(stderr).toMatch(new RegExp(`^error: The service did not send .*${awaited} within 5 s\\.$`, 'm'));
    expect(code).toBe(4);
  });
});
