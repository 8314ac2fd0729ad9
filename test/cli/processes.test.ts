import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProcess } from '../helpers/commandLine.ts';
import { sharedDirectory } from '../helpers/dataDirectory.ts';
import { keptService, speechFile } from '../helpers/keptService.ts';
import { scriptedEngines } from '../helpers/scriptedEngines.ts';
import { createScriptedRecognizer } from '../helpers/scriptedRecognizer.ts';
import { TEST_TOKEN } from '../helpers/testService.ts';

const directory = sharedDirectory();
const at = (name: string) => join(directory, name);
writeFileSync(at('talk.wav'), speechFile());
writeFileSync(at('german.wav'), speechFile([2, 2, 2, 1]));
writeFileSync(at('words.txt'), 'w4 w7 w9\n');
writeFileSync(at('phrases.txt'), 'hello world\n');

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const service = keptService({
  adminToken: ADMIN_TOKEN,
  recognizer: createScriptedRecognizer(),
  ...scriptedEngines(),
});
const environment = () => ({
  RXSCRIBE_URL: service().url,
  RXSCRIBE_TOKEN: TEST_TOKEN,
  RXSCRIBE_ADMIN_TOKEN: ADMIN_TOKEN,
});

/** Every other test of a command runs it in the process of the test. `serve` and `resume` have processes of their own. */
const COMMANDS: readonly (readonly [args: readonly string[], stdout: RegExp])[] = [
  [['caption', at('talk.wav'), '--speed', 'max'], /W4 w7\. W9\.\n$/],
  [['transcribe', at('talk.wav')], /^Speaker 0 {4}00:00:00 {4}W4 w7\. W9\.\n$/],
  [['identify', at('german.wav')], /^de\t0\.75\n/],
  [['align', at('talk.wav'), '--text', at('words.txt')], /^0\.00\t0\.10\tw4\n/],
  [['sentiment', '--text', 'All is good.'], /^positive\t0\.40\tAll is good\.\n$/],
  [['record', at('talk.wav'), '--speed', 'max', '--out', at('talk.cassette.jsonl')], /^Recorded '.*'/],
  [['replay', at('talk.wav'), '--speed', 'max'], /^all /m],
  [['job', 'list'], /^\{"id":/],
  [['vocabulary', 'submit', at('phrases.txt')], /"status":"complete"/],
  [['model', 'list'], /"name":"moonshine-tiny-en"/],
  [['doctor'], /Node +\d+/],
];

describe('a process of its own', { tags: 'slow' }, () => {
  test.each(COMMANDS)('runs %j', async (args, stdout) => {
    const result = await runProcess(args, { env: environment() });
    expect(result).toMatchObject({ stderr: '', stdout: expect.stringMatching(stdout) });
    expect(result.code).toBe(0);
  });

  test('administers a service over the network', async () => {
    const args = ['account', 'list', '--url', service().url];
    const result = await runProcess(args, { env: environment() });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('"id":"owner"'), stderr: '' });
  });

  const unwritable: readonly (readonly string[])[] = [
    ['--help'],
    ['doctor'],
    ['transcribe', at('talk.wav')],
    ['caption', at('talk.wav'), '--speed', 'max', '--json'],
    ['replay', at('talk.wav'), '--speed', 'max'],
    ['job', 'list'],
  ];

  test.each(unwritable)('ends with one line when its output cannot be written: %s', async (...args) => {
    const script = 'exec "$@" > /dev/full';
    const { code, stderr } = await runProcess(args, { env: environment(), script });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^error: Cannot write the output: no space left on the device\..*\n$/),
    });
  });

  test('does its work when its messages cannot be written, and ends with another code than 0', async () => {
    const args = ['caption', at('talk.wav'), '--speed', 'max', '--page', '0'];
    const result = await runProcess(args, { env: environment(), script: 'exec "$@" 2> /dev/full' });
    expect(result).toMatchObject({ code: 4, stdout: expect.stringContaining('W9.') });
  });

  test('ends quietly when the reader of its output has had enough', async () => {
    const { code, stdout, stderr } = await runProcess(['--help'], {
      script: 'set -o pipefail; "$@" | head -n 1',
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Usage: rxscribe [options] [command]\n',
      stderr: '',
    });
  });
});
