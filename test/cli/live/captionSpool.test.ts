import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { countedLevels } from '../../helpers/repairRun.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({ limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } } });

/** A directory, whose name a shell would take apart, with three seconds of words. */
async function place() {
  const directory = join(await temporaryDirectory(), 'my talks');
  await mkdir(directory);
  const at = (name: string) => join(directory, name);
  await writeFile(at('talk.wav'), speechFile(countedLevels(30)));
  return { directory, at, spool: at('talk.spool') };
}

const caption = (audio: string, url: string, ...more: readonly string[]) => [
  ...['caption', audio, '--speed', 'max', '--skip-postprocessing', '--fallback', 'async'],
  ...['--url', url, '--token', TEST_TOKEN, ...more],
];

/** An address at which nothing answers any more. */
async function deadUrl(): Promise<string> {
  const http = await startHttpService(() => ({}));
  await http.close();
  return http.url;
}

const warningsIn = (stdout: string) => jsonLines(stdout).filter(({ type }) => type === 'warning');

describe('caption --fallback async, with an unreachable service', { timeout: 120_000 }, () => {
  test('says that it waits, and why, until it is interrupted', async () => {
    const { at, spool } = await place();
    const files = ['--out', at('talk.txt'), '--spool', spool];
    const url = await deadUrl();
    await using running = startCommand(caption(at('talk.wav'), url, '--give-up-after', '0', ...files));
    await running.errorLine(/Waiting for a job/);
    running.interrupt();
    const { code, stderr } = await running.done;
    expect(code).toBe(130);
    expect(stderr).toContain('Live transcription has ended');
    expect(stderr).toMatch(/^Waiting to submit a job: /m);
    expect(stderr).toContain("Press Ctrl-C to leave it to 'rxscribe resume'");
    expect(stderr).toContain(`rxscribe resume '${spool}'`);
    // An empty file would make the next command fail.
    expect(existsSync(at('talk.txt'))).toBe(false);
    const to = ['--url', service().url, '--token', TEST_TOKEN, '--out', at('talk.txt')];
    expect(await runCommand(['resume', spool, ...to])).toMatchObject({ code: 0 });
    expect(await readFile(at('talk.txt'), 'utf8')).toContain('w1 w2 w3');
  });

  test('says what Ctrl-C costs where there is no spool', async () => {
    const { at, directory } = await place();
    const args = caption(at('talk.wav'), await deadUrl(), '--give-up-after', '0', '--json');
    await using running = startCommand(args);
    await running.line(/"waiting"/);
    running.interrupt();
    const { code, stdout } = await running.done;
    expect(code).toBe(130);
    expect(warningsIn(stdout)).toMatchObject([
      { code: 'waiting', message: expect.stringContaining('leave the missing parts without text') },
    ]);
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'transcript',
      coverage: [{ ts: 0, end_ts: 3, kind: 'hole', cause: 'gave-up' }],
    });
    expect(await readdir(directory)).toHaveLength(1);
  });
});

describe('caption --spool', { timeout: 120_000 }, () => {
  test('deletes the spool when the transcript is written', async () => {
    const { at, spool } = await place();
    const files = ['--out', at('talk.txt'), '--spool', spool];
    const { code, stderr } = await runCommand(caption(at('talk.wav'), service().url, ...files));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(at('talk.txt'), 'utf8')).toContain('w1 w2 w3');
    expect(existsSync(spool)).toBe(false);
  });

  test('keeps the spool when the transcript cannot be written, and names the command that finishes it', async () => {
    const { at, spool } = await place();
    await mkdir(at('gone'));
    const files = ['--out', at('gone/talk.txt'), '--spool', spool];
    await using running = startCommand(
      caption(at('talk.wav'), service().url, '--json', '--channels', '2', '--channels-apart', ...files),
    );
    await running.line(/"connected"/);
    await rm(at('gone'), { recursive: true });
    const { code, stdout, stderr } = await running.done;
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('gone/talk.txt') });
    const left = warningsIn(stdout).filter(warning => warning.code === 'spool-left');
    expect(left.map(({ message }) => message)).toEqual(
      [0, 1].map(channel => expect.stringContaining(`rxscribe resume '${spool}.${channel}'`)),
    );
    const access = ['--url', service().url, '--token', TEST_TOKEN];
    const resumed = await runCommand(['resume', `${spool}.1`, ...access]);
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('w1 w2 w3') });
  });

  test('names the command also where no job gives the text', async () => {
    const { at, spool } = await place();
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 1 });
    const failing = await startTestService({
      ...{ recognizer, dataDirectory: await dataDirectory() },
      limits: { account: { streams: 0 } },
    });
    const files = ['--spool', spool];
    const { code, stderr } = await runCommand(
      caption(at('talk.wav'), failing.url, '--give-up-after', '0', ...files),
    );
    expect(code).toBe(4);
    const again = `rxscribe resume '${spool}'`;
    expect(stderr.trim().split('\n').at(-1)).toContain(again);
    const resumed = await runCommand(['resume', spool, '--token', TEST_TOKEN]);
    expect(resumed).toMatchObject({ code: 4, stderr: expect.stringContaining(again) });
  });

  test.each([
    ['talk.spool', []],
    ['talk.spool.1', ['--channels', '2', '--channels-apart']],
  ])('does not touch %s that is there, nor say that it kept it', async (name, flags) => {
    const { at, spool } = await place();
    await writeFile(at(name), 'mine');
    const { code, stderr } = await runCommand(['caption', at('talk.wav'), '--spool', spool, ...flags]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`'${at(name)}' exists already`),
    });
    expect(stderr).not.toContain('kept');
    expect(await readFile(at(name), 'utf8')).toBe('mine');
  });

  test('refuses an unusable place at once', async () => {
    const { at } = await place();
    const nowhere = await runCommand(['caption', at('talk.wav'), '--spool', at('no/talk.spool')]);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('where you can write') });
  });
});
