import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { cli, runCommand, runProcess, startCommand, startProcess } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
const LONG_SAMPLE = 'samples/sense-and-sensibility.wav';
const NOWHERE = ['--url', 'http://127.0.0.1:1', '--token', 't'];
const directory = sharedDirectory();

const serviceArgs = async () => ['--url', (await startTestService()).url, '--token', TEST_TOKEN];

/** Waits until a recording has words. */
const hasMessages = (path: string) =>
  eventually(async () => expect(await readFile(path, 'utf8').catch(() => '')).toContain('"type":"partial"'));

describe('rxscribe record', () => {
  testRecognizer('records with the embedded recogniser, and prints a summary', async () => {
    const out = join(directory, 'own.cassette.jsonl');
    const { code, stdout } = await runCommand(['record', SAMPLE, '--speed', 'max', '--out', out]);
    expect(stdout).toMatch(
      /^Recorded '.*own\.cassette\.jsonl': \d+\.\d s, 1 connection, \d+ messages, \d+ kB\.\n$/,
    );
    expect(code).toBe(0);
    const run = recordedRun(await readCassette(out));
    expect(run.transcript.monologues.map(({ elements }) => textOf(elements)).join(' ')).toContain('man');
    expect(run.speed).toBe('max');
  });

  async function keepsAudio(audio: 'beside' | 'inside', kind: 'wav' | 'flac', name?: string) {
    const inner = await mkdtemp(join(directory, 'audio-'));
    const out = join(inner, 'mic.cassette.jsonl');
    const stdin = await readFile(SAMPLE);
    const places = ['--out', out, '--audio', audio, '--audio-format', kind];
    const args = cli`record - --speed max ${places} ${await serviceArgs()}`;
    const { code, stderr } = await runCommand(args, { stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { end, audio: kept } = await readCassette(out);
    expect(end?.audio).toMatchObject({ container: kind });
    expect(end?.audio?.file).toBe(name);
    expect(kept?.frames).toBe((stdin.length - 44) / 2);
  }

  test('keeps the audio beside as WAV', () => keepsAudio('beside', 'wav', 'mic.cassette.wav'));

  test('keeps the audio inside as FLAC', { tags: 'tools' }, () => keepsAudio('inside', 'flac'));

  test('ends with a complete cassette on Ctrl-C', async () => {
    const out = join(directory, 'cut.cassette.jsonl');
    await using running = startCommand(['record', LONG_SAMPLE, '--out', out, ...(await serviceArgs())]);
    await hasMessages(out);
    running.interrupt();
    const { code, stdout } = await running.done;
    expect(stdout).toMatch(/^Recorded .* s, 1 connection/);
    expect(code).toBe(130);
    const { end, lines } = await readCassette(out);
    expect(end?.frames).toBeGreaterThan(0);
    expect(lines.some(line => line.type === 'send_text' && line.text === 'EOS')).toBe(true);
    expect(lines.findLast(line => line.type === 'close')).toMatchObject({ by: 'service', code: 1000 });
  });

  test('leaves a readable cassette when it is killed', async () => {
    const out = join(directory, 'killed.cassette.jsonl');
    await using running = startProcess(['record', LONG_SAMPLE, '--out', out, ...(await serviceArgs())]);
    await hasMessages(out);
    running.process.kill('SIGKILL');
    await running.done;
    const { end, audio } = await readCassette(out);
    expect(end).toBeUndefined();
    expect(audio?.frames).toBeGreaterThan(0);
  });

  test.each([
    ['beside', 'wav'],
    ['inside', 'jsonl'],
  ])(
    'says so when nothing more can be written, audio %s, and what is there can be read',
    async (audio, ending) => {
      const out = join(directory, `full-${audio}.cassette.jsonl`);
      const args = cli`record ${SAMPLE} --speed max --audio ${audio} --out ${out} ${await serviceArgs()}`;
      // A bound of the shell on files, in blocks of 1024 bytes, without the signal that it comes with.
      const script = 'trap "" XFSZ; ulimit -f 50; exec "$@"';
      const { code, stderr } = await runProcess(args, { script });
      expect(stderr).toMatch(
        new RegExp(`error: Cannot record to '.*full-${audio}\\.cassette\\.${ending}': EFBIG`),
      );
      expect(code).toBe(4);
      const { end, audio: kept } = await readCassette(out);
      expect(end).toBeUndefined();
      expect(kept?.frames).toBeGreaterThan(8000);
    },
  );

  test.each<[what: string, args: (file: string) => readonly string[]]>([
    ['no cassette', () => [SAMPLE]],
    ['a name that no replay knows', file => [SAMPLE, '--out', `${file}.txt`]],
    ['audio elsewhere', file => [SAMPLE, '--out', file, '--audio', 'elsewhere']],
    ['audio of another kind', file => [SAMPLE, '--out', file, '--audio-format', 'mp3']],
    ['an address without a token', file => [SAMPLE, '--out', file, '--url', 'http://127.0.0.1:1']],
  ])('exits with 2 for %s', async (_, args) => {
    const { code, stdout, stderr } = await runCommand(['record', ...args(join(directory, 'new.jsonl'))]);
    expect(stderr).toMatch(/error/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('leaves no cassette of an unreadable input, and one without results of an unreachable service', async () => {
    const out = join(directory, 'failed.cassette.jsonl');
    const missing = await runCommand(['record', join(directory, 'none.wav'), '--out', out, ...NOWHERE]);
    expect(missing.code).toBe(3);
    expect(existsSync(out)).toBe(false);
    const away = await runCommand(
      cli`record ${SAMPLE} --speed max --give-up-after 0 --out ${out} ${NOWHERE}`,
    );
    expect(away).toMatchObject({ code: 4, stderr: expect.stringContaining(`is in '${out}'`) });
    expect((await readCassette(out)).end?.frames).toBeGreaterThan(0);
  });

  test('keeps an existing cassette when the new recording fails', async () => {
    const out = join(directory, 'kept.cassette.jsonl');
    const audio = join(directory, 'kept.cassette.wav');
    await runCommand(['record', SAMPLE, '--speed', 'max', '--out', out, ...(await serviceArgs())]);
    const before = [await readFile(out), await readFile(audio)];
    const over = ['--out', out, '--overwrite', '--give-up-after', '0'];
    const typo = await runCommand(['record', join(directory, 'typo.wav'), ...over, ...(await serviceArgs())]);
    expect(typo.code).toBe(3);
    const away = await runCommand(['record', SAMPLE, '--speed', 'max', ...over, ...NOWHERE]);
    expect(away).toMatchObject({ code: 4, stderr: expect.not.stringContaining('The recording up to') });
    expect([await readFile(out), await readFile(audio)]).toEqual(before);
  });

  test('overwrites no audio that it reads', async () => {
    const out = join(directory, 'mine.cassette.jsonl');
    await writeFile(out, 'mine');
    const audio = join(directory, 'mine.cassette.wav');
    await copyFile(SAMPLE, audio);
    const itself = await runCommand(['record', audio, '--out', out, '--overwrite', ...NOWHERE]);
    expect(itself).toMatchObject({ code: 2, stderr: expect.stringContaining('would overwrite its input') });
    expect(await readFile(out, 'utf8')).toBe('mine');
    expect((await stat(audio)).size).toBe((await stat(SAMPLE)).size);
  });
});
