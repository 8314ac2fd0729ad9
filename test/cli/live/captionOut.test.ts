import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { childrenWith, installScript } from '../../helpers/childProcesses.ts';
import { startCommand, startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { runFfmpeg } from '../../helpers/ffmpeg.ts';
import { needsProgram, testProgram } from '../../helpers/needs.ts';
import {
  closeAtEnd,
  connectedMessage,
  finalMessage,
  partialMessage,
  type StreamPeer,
  type StreamService,
  startStreamService,
} from '../../helpers/streamService.ts';

const SAMPLE = 'samples/sense-and-sensibility.wav';
const SHORT_SAMPLE = 'samples/not-ill-disposed.wav';
const ENDINGS = ['srt', 'vtt', 'txt', 'json'] as const;

/** A service that says at once that it is ready, and then does one thing with each connection. */
const readyService = (act: (peer: StreamPeer) => unknown) =>
  startStreamService(peer => {
    peer.say(connectedMessage);
    void act(peer);
  });

/** Waits until the first audio has come. */
const audioAt = ({ peers }: StreamService) =>
  eventually(() => expect(peers[0]?.frames.length).toBeGreaterThan(0));

/** Shows words as soon as there is sound, and makes them final when that is over. */
async function heardAtTheEnd(peer: StreamPeer): Promise<void> {
  await peer.bytes(1);
  peer.say(partialMessage('hello', 0.1, 0.5));
  await peer.endOfStream();
  peer.say(finalMessage('Hello', 0.1, 0.5));
  peer.close(CLOSE.endOfInput);
}

async function outputs() {
  const directory = await temporaryDirectory();
  const paths = ENDINGS.map(ending => join(directory, `talk.${ending}`));
  return { directory, paths, args: paths.flatMap(path => ['--out', path]) };
}

/** Each file is one that a reader of its format takes, and says something. */
function expectWhole(paths: readonly string[], text: string): void {
  const [srt, vtt, txt, json] = paths.map(path => readFileSync(path, 'utf8'));
  expect(srt).toMatch(new RegExp(`^1\\n[\\d:,]{12} --> [\\d:,]{12}\\n${text}[^]*\\n$`));
  expect(vtt).toMatch(new RegExp(`^WEBVTT\\n\\n[\\d:.]+ --> [\\d:.]+\\n${text}[^]*\\n$`));
  expect(txt).toMatch(new RegExp(`^00:00:0\\d {4}${text}[^]*\\n$`));
  expect(JSON.parse(json!).monologues[0].elements[0].value).toBe(text);
}

/** Resolves with a standard input that stays open after a sample, which only ffmpeg decodes. */
async function openAac() {
  const aac = join(await temporaryDirectory(), 'talk.aac');
  runFfmpeg('-i', SAMPLE, aac);
  return { stdin: await readFile(aac), staysOpen: true };
}

/** Kills a program that this process has started. */
async function killChild(program: string): Promise<void> {
  let children: readonly number[] = [];
  await eventually(() => {
    children = childrenWith(program);
    expect(children).toHaveLength(1);
  });
  process.kill(children[0]!, 'SIGKILL');
}

describe('caption, when its source fails', () => {
  test('goes on with a microphone that comes back, until Ctrl-C', async () => {
    const noise = 'while true; do head -c 3200 /dev/urandom; sleep 0.1; done';
    await using _script = await installScript('arecord', noise);
    await using service = await readyService(heardAtTheEnd);
    const out = await outputs();
    await using running = startCommand(['caption', '--mic', '--json', ...out.args, ...service.args]);
    await running.line(/"partial"/);
    await killChild('arecord');
    await running.line(/"source-lost".*arecord.*SIGKILL/);
    await running.line(/"source-back"/);
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout).toMatch(/"type":"hole".*"cause":"gap"/);
    expect(stdout).toContain('"type":"final"');
    expectWhole(out.paths, 'Hello');
  });

  testProgram('finishes the last words of a pipe whose decoder dies', 'ffmpeg', async () => {
    await using service = await readyService(heardAtTheEnd);
    const out = await outputs();
    const args = ['caption', '-', '--json', ...out.args, ...service.args];
    await using running = startCommand(args, await openAac());
    await running.line(/"partial"/);
    await killChild('ffmpeg');
    const { code, stderr } = await running.done;
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^error: .*ffmpeg.*SIGKILL.*\n$/),
    });
    expectWhole(out.paths, 'Hello');
  });

  testProgram('leaves a complete recording, and exits with 3', 'ffmpeg', async () => {
    await using service = await readyService(heardAtTheEnd);
    const cassette = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    await using running = startCommand(['record', '-', '--out', cassette, ...service.args], await openAac());
    await audioAt(service);
    await killChild('ffmpeg');
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: expect.stringMatching(/^Recorded .* 1 connection/),
      stderr: expect.stringMatching(/error: .*ffmpeg.*SIGKILL/),
    });
    expect(stdout).not.toContain('cut off');
  });

  test.for(['caption', 'record'])(
    'is reported by %s while the last words are still transcribed',
    { tags: 'tools' },
    async (command, context) => {
      needsProgram(context, 'ffmpeg');
      const reported = Promise.withResolvers<void>();
      await using service = await readyService(async peer => {
        await reported.promise;
        peer.close(CLOSE.endOfInput);
      });
      const out = join(await temporaryDirectory(), command === 'record' ? 'talk.cassette.jsonl' : 'talk.srt');
      await using running = startCommand([command, '-', '--out', out, ...service.args], await openAac());
      await audioAt(service);
      await killChild('ffmpeg');
      await running.errorLine(/^warning: .*ffmpeg.*SIGKILL/);
      reported.resolve();
      expect(await running.done).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^error: .*ffmpeg.*SIGKILL/m),
      });
    },
  );

  testProgram('reports the source when the service is gone as well', 'ffmpeg', async () => {
    await using service = await readyService(async peer => {
      await peer.bytes(1);
      peer.say(finalMessage('Hello', 0.1, 0.5));
      await peer.endOfStream();
      peer.socket.terminate();
    });
    const out = await outputs();
    const more = ['--give-up-after', '0', ...out.args, ...service.args];
    await using running = startCommand(['caption', '-', '--json', ...more], await openAac());
    await running.line(/"final"/);
    await killChild('ffmpeg');
    const { code, stdout, stderr } = await running.done;
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('The stream ended without a transcript'),
    });
    expect(stdout).toMatch(/"warning".*ffmpeg.*SIGKILL/);
    expectWhole(out.paths, 'Hello');
  });
});

describe('the files of caption --out', () => {
  const TEXT = 'Word';
  /** A final of two seconds of the sample, as fast as the audio comes. */
  const talks = (peer: StreamPeer) => {
    let second = 0;
    peer.socket.on('message', () => {
      peer.say(finalMessage(TEXT, second, second + 2));
      second += 2;
    });
    return closeAtEnd(peer);
  };

  test('are complete from the first caption on, and after kill -9', async () => {
    await using service = await readyService(talks);
    const out = await outputs();
    await using running = startProcess(['caption', SAMPLE, '--json', ...out.args, ...service.args]);
    await eventually(() => expect(out.paths.filter(path => !existsSync(path))).toEqual([]));
    const sizes = new Set<number>();
    const faults: unknown[] = [];
    await eventually(() => {
      try {
        expectWhole(out.paths, TEXT);
      } catch (error) {
        faults.push(error);
      }
      sizes.add(readFileSync(out.paths[0]!).length);
      expect(sizes.size).toBeGreaterThan(2);
    });
    expect(faults).toEqual([]);
    running.process.kill('SIGKILL');
    await running.done;
    expectWhole(out.paths, TEXT);
  });

  test.each([
    { name: 'an input that is not there', input: 'nowhere.wav', exitCode: 3 },
    { name: 'a service that is not there', input: SHORT_SAMPLE, exitCode: 4 },
  ])('are left alone by a run that fails before its first word: $name', async ({ input, exitCode }) => {
    const service = await readyService(() => {});
    await service[Symbol.asyncDispose]();
    const { directory, paths, args } = await outputs();
    await writeFile(paths[0]!, 'before');
    const more = ['--overwrite', '--give-up-after', '0', ...args, ...service.args];
    await using running = startCommand(['caption', input, '--speed', 'max', ...more]);
    expect((await running.done).code).toBe(exitCode);
    expect(await readdir(directory)).toEqual(['talk.srt']);
    expect(await readFile(paths[0]!, 'utf8')).toBe('before');
  });

  testProgram('are unchanged when the source dies before its first word', 'ffmpeg', async () => {
    await using service = await readyService(closeAtEnd);
    const { directory, args } = await outputs();
    await using running = startCommand(['caption', '-', ...args, ...service.args], await openAac());
    await audioAt(service);
    await killChild('ffmpeg');
    expect((await running.done).code).toBe(3);
    expect(await readdir(directory)).toEqual([]);
  });

  test('are written for silence', async () => {
    await using service = await readyService(closeAtEnd);
    const { directory, args } = await outputs();
    const more = ['--speed', 'max', ...args, ...service.args];
    await using running = startCommand(['caption', SHORT_SAMPLE, ...more]);
    expect((await running.done).code).toBe(0);
    expect(await readdir(directory)).toHaveLength(ENDINGS.length);
  });

  test('may be a named pipe, which gets the whole transcript once', async () => {
    await using service = await readyService(talks);
    const pipe = join(await temporaryDirectory(), 'talk.srt');
    spawnSync('mkfifo', [pipe]);
    const args = ['caption', SHORT_SAMPLE, '--speed', '4', '--overwrite', '--out', pipe, ...service.args];
    await using running = startCommand(args);
    const read = readFile(pipe, 'utf8');
    expect(await running.done).toMatchObject({ code: 0, stderr: '' });
    expect((await read).match(/^1$/gm)).toHaveLength(1);
  });
});
