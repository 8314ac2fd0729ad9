import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../helpers/commandLine.ts';
import { sharedDirectory } from '../helpers/dataDirectory.ts';
import { testRecognizer } from '../helpers/needs.ts';
import { wav } from '../helpers/wavBytes.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--token', 't'];
const directory = sharedDirectory();

describe('the command line', () => {
  test.each([
    ['a speed of zero', ['caption', SAMPLE, '--speed', '0']],
    ['a rate that is not a number', ['caption', SAMPLE, '--rate', 'NaN']],
    ['too many channels', ['caption', SAMPLE, '--channels', '11']],
    ['a retention over 30 days', ['caption', SAMPLE, '--delete-after-seconds', '2592001']],
    ['metadata over 512 characters', ['caption', SAMPLE, ...NOWHERE, '--metadata', 'm'.repeat(513)]],
    ['an output where nothing can be written', ['caption', SAMPLE, '--out', '/nowhere/talk.srt']],
    ['a token for no address', ['caption', SAMPLE, '--token', 't']],
    ['a token of a recording for no address', ['record', SAMPLE, '--out', 'x.jsonl', '--token', 't']],
    ['a token of a suite for no address', ['replay', SAMPLE, '--token', 't']],
    ['a token of a job for no address', ['transcribe', SAMPLE, '--token', 't']],
    ['a token of a text for no address', ['sentiment', '--text', 'x', '--token', 't']],
    ['the token of an operator for no address', ['account', 'list', '--admin-token', 't']],
    ['an invalid token', ['caption', SAMPLE, '--url', 'http://127.0.0.1:1', '--token', 'open sesame']],
    ['a transcript where nothing can be written', ['transcribe', SAMPLE, '--out', '/nowhere/talk.srt']],
    ['media without a token for the address', ['transcribe', SAMPLE, '--url', 'http://127.0.0.1:1']],
    ['a job for an embedded service that ends', ['transcribe', SAMPLE, '--no-wait']],
    ['a notification by an embedded service', ['transcribe', SAMPLE, '--notify', 'https://example.org']],
    ['a vocabulary of an embedded service', ['transcribe', SAMPLE, '--custom-vocabulary-id', 'cv1']],
    ['an option for people without people', ['transcribe', SAMPLE, '--verbatim']],
    ['a part that ends before it starts', ['transcribe', SAMPLE, '--human', '--segment', '60-0']],
    ['a format without waiting', ['transcribe', SAMPLE, ...NOWHERE, '--no-wait', '--format', 'json']],
    ['a transcript that is never stored', ['transcribe', SAMPLE, '--delete-after-seconds', '0']],
    ['languages that are never stored', ['identify', SAMPLE, '--delete-after-seconds', '0']],
    ['times that are never stored', ['align', SAMPLE, '--text', '-', '--delete-after-seconds', '0']],
    ['sentiment that is never stored', ['sentiment', '--text', 'x', '--delete-after-seconds', '0']],
    ['the channel of a text', ['job', 'transcript', 'a1', ...NOWHERE, '--speaker-channel', '1']],
    ['too many channels of speakers', ['transcribe', SAMPLE, '--speaker-channels-count', '9']],
    ['media without words', ['align', SAMPLE]],
    ['media and words from one input', ['align', '-', '--text', '-']],
    ['no text', ['sentiment']],
    ['an unknown sentiment', ['sentiment', '--text', 'x', '--filter-for', 'angry']],
    ['an empty address of a service', ['transcribe', SAMPLE, '--url', '']],
    ['an empty address of a stream', ['caption', SAMPLE, '--url', '', '--token', 't']],
    ['a job without a service', ['job', 'get', 'a1']],
    ['an unknown area', ['job', 'get', 'a1', '--area', 'moon']],
    ['legacy jobs to delete', ['job', 'delete', 'a1', '--area', 'legacy']],
    ['no job to delete', ['job', 'delete']],
    ['a page that is too long', ['job', 'list', '--limit', '1001']],
    ['vocabularies without a service', ['vocabulary', 'list']],
    ['a port out of range', ['serve', '--port', '65536']],
    ['an address of operators without a port', ['serve', '--port', '0', '--admin-host', '::1']],
    ['an unknown region', ['serve', '--region', 'moon']],
    ['an unknown engine', ['serve', '--engine', 'none']],
    ['an invalid first token', ['serve', '--port', '0', '--token', '']],
    ['an invalid brand', ['serve', '--brand', 'A/B']],
  ])('exits with 2 for %s and says why on stderr', async (_, args) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(stderr).toMatch(/^error: \S/);
    expect(stderr).not.toMatch(/\n\s+at |sesame/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('exits with 2 for an output that is a directory, before any work', async () => {
    const out = join(directory, 'talk.txt');
    await mkdir(out);
    for (const command of ['transcribe', 'caption']) {
      const { code, stderr } = await runCommand([command, SAMPLE, '--out', out]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('a file') });
    }
  });

  test.each<[string, readonly string[]]>([
    ['caption', [SAMPLE]],
    ['caption', ['--mic']],
    ['transcribe', [SAMPLE]],
    ['resume', ['talk.spool']],
    ['record', [SAMPLE]],
  ])('exits with 2 when %s %j would overwrite a file, which stays as it is', async (command, input) => {
    const out = await file(command === 'record' ? 'kept.jsonl' : 'kept.srt', 'kept');
    const { code, stderr } = await runCommand([command, ...input, '--out', out]);
    const remedy = command === 'caption' ? '--continue or --overwrite' : '--overwrite';
    expect(stderr).toBe(`error: '${out}' exists already. Choose another name, or add ${remedy}.\n`);
    expect([code, await readFile(out, 'utf8')]).toEqual([2, 'kept']);
  });

  testRecognizer('replaces a file with --overwrite', async () => {
    const out = await file('replaced.txt', 'old');
    const { code } = await runCommand([...['transcribe', SAMPLE], '--out', out, '--overwrite']);
    expect([code, await readFile(out, 'utf8')]).toEqual([0, expect.stringMatching(/^Speaker 0 .*man\.\n$/)]);
  });

  test('ignores a token of the environment without an address', async () => {
    const env = { RXSCRIBE_TOKEN: 'of-another-service', RXSCRIBE_ADMIN_TOKEN: 'x' };
    const { code, stdout } = await runCommand(['sentiment', '--text', 'I love it.'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('positive') });
  });

  test('prints its version on stdout', async () => {
    const version = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) };
    expect(await runCommand(['--version'])).toMatchObject(version);
  });

  test.each([
    ['is a directory', async () => directory],
    ['is empty', () => file('empty.wav', '')],
    ['is no audio', () => file('notes.txt', 'hello there, this is only text\n'.repeat(100))],
    ['is a WAV file without audio', () => file('silent.wav', wav(new Uint8Array()))],
  ])('exits with 3 when the input %s', async (_, make) => {
    const { code, stderr } = await runCommand(['caption', await make(), '--speed', 'max', ...NOWHERE]);
    expect(stderr).toMatch(/error: /);
    expect(code).toBe(3);
  });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}
