import { existsSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SpoolNote } from '../../../src/client/spool/spool.ts';
import { cli, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { leaveSpool } from '../../helpers/leaveSpool.ts';
import { countedLevels, finalOf, holeOf } from '../../helpers/repairRun.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const data = sharedDirectory();
const service = keptService({ dataDirectory: data });
const eu = keptService({ region: 'eu' });

const levels = countedLevels(60);
const words = (from: number, to: number) =>
  levels
    .slice(from, to)
    .map(level => `w${level}`)
    .join(' ');
const ended: SpoolNote = { type: 'ended', endFrame: 96_000 };
const notes: readonly SpoolNote[] = [
  { type: 'event', event: { type: 'connected', id: 'session1' } },
  { type: 'event', event: finalOf(countedLevels(20), 0) },
  ended,
];
const left = (more: Partial<Parameters<typeof leaveSpool>[0]> = {}) =>
  leaveSpool({ levels, notes, addresses: [service().url], ...more });
const env = () => ({ RXSCRIBE_URL: service().url, RXSCRIBE_TOKEN: TEST_TOKEN });
const start = (...args: readonly string[]) => startCommand(['resume', ...args], { env: env() });

const NOTE = /^A person transcribes (\S+): job (\w+)\.$/;
const jobIn = (line: string) => NOTE.exec(line)![2]!;

async function jobs(): Promise<readonly { readonly id: string; readonly type: string }[]> {
  return (await request(service(), '/speechtotext/v1/jobs?limit=1000')).json();
}

/** Finishes a job with the text of the machine, with one word replaced. */
async function finish(id: string, word: string, replacement: string): Promise<void> {
  const directory = join(await temporaryDirectory(), 'job');
  const desk = (...args: string[]) => runCommand(['desk', ...args, '--worker', 'House', '--data', data]);
  // The machine transcribes it first.
  await eventually(async () => expect(await desk('export', id, directory)).toMatchObject({ code: 0 }));
  const file = join(directory, 'transcript.txt');
  await writeFile(file, (await readFile(file, 'utf8')).replace(word, replacement));
  expect(await desk('import', id, file)).toMatchObject({ code: 0 });
}

describe('resume --human', { timeout: 120_000 }, () => {
  test('waits for people, and after an interruption for the same jobs', async () => {
    const path = await left();
    await using first = start(path, '--human');
    const line = await first.errorLine(NOTE);
    expect(line).toContain('00:02–00:06');
    first.interrupt();
    const { code, stderr } = await first.done;
    expect(code).toBe(130);
    expect(stderr).toContain(`The spool is kept. To finish it, run: rxscribe resume ${path} --human\n`);
    expect(existsSync(path)).toBe(true);

    const id = jobIn(line);
    const before = await jobs();
    expect(before.find(job => job.id === id)).toMatchObject({ type: 'human_tc', status: 'in_progress' });
    await using second = start(path, '--human');
    expect(jobIn(await second.errorLine(NOTE))).toBe(id);
    await finish(id, 'w41', 'Ada');
    expect(await second.done).toMatchObject({
      code: 0,
      stdout: `Speaker 0    00:00:00    ${words(0, 60).replace('w41', 'Ada')}\n`,
    });
    expect(await jobs()).toHaveLength(before.length);
    expect(existsSync(path)).toBe(false);
  });

  test('submits all parts at once, and takes no job of a machine for one of a person', async () => {
    const spans = [
      [10, 15],
      [25, 30],
      [40, 45],
    ] as const;
    const holes = spans.map(([from, to]) => holeOf(from, to));
    const ofMachine = holes.slice(0, 1).map(({ startFrame, endFrame }): SpoolNote => {
      return { type: 'job', hole: { startFrame, endFrame }, jobId: 'machine1', address: service().url };
    });
    const path = await left({
      notes: [
        { type: 'event', event: finalOf(levels, 0) },
        ...holes.map(({ event }): SpoolNote => ({ type: 'event', event })),
        ...ofMachine,
        ended,
      ],
    });
    await using running = start(path, '--human', '--json');
    const ids = new Set<string>();
    for (const [from] of spans) {
      const at = `00:0${Math.floor(from / 10)}`;
      ids.add(jobIn(await running.errorLine(new RegExp(`^A person transcribes ${at}–`))));
    }
    expect(ids.size).toBe(3);
    for (const id of ids) await finish(id, ' w', ' w');
    expect(await running.done).toMatchObject({ code: 0 });
  });

  test('is waited for without the flag, too: the person has been paid', async () => {
    const path = await left();
    await using first = start(path, '--human');
    const id = jobIn(await first.errorLine(NOTE));
    first.interrupt();
    await first.done;
    await using second = start(path);
    expect(jobIn(await second.errorLine(NOTE))).toBe(id);
    await finish(id, 'w41', 'Eve');
    const { code, stdout } = await second.done;
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Eve') });
  });

  test('says that people transcribe nothing in the EU, and keeps the spool', async () => {
    const path = await left();
    const args = ['resume', path, '--human', '--url', eu().url, '--token', TEST_TOKEN];
    const { code, stderr } = await runCommand(args);
    expect(code).toBe(5);
    expect(stderr).toContain('Human transcription is not supported in this deployment');
    expect(stderr).toContain(`rxscribe resume ${path} --human`);
    expect(existsSync(path)).toBe(true);
    const media = join(await temporaryDirectory(), 'talk.wav');
    await writeFile(media, speechFile());
    const whole = await runCommand(cli`transcribe ${media} --human --url ${eu().url} --token ${TEST_TOKEN}`);
    expect(whole).toMatchObject({ code: 5, stderr: expect.stringContaining('Human transcription is not') });
    expect(whole.stderr).toContain('Use another service');
  });

  test('requires a service that outlives the command', async () => {
    const { code, stderr } = await runCommand(['resume', await left({ addresses: [] }), '--human']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--human requires --url') });
  });
});

test.each(['beside', 'inside'])(
  'transcribe takes a cassette with its audio %s it, for people',
  async where => {
    const directory = await temporaryDirectory();
    const [media, cassette] = [join(directory, 'talk.wav'), join(directory, 'session.jsonl')];
    await writeFile(media, speechFile());
    const recording = ['record', media, '--speed', 'max', '--out', cassette, '--audio', where];
    expect(await runCommand(recording, { env: env() })).toMatchObject({ code: 0 });
    rmSync(media);
    const { code, stdout } = await runCommand(['transcribe', cassette, '--human', '--no-wait'], {
      env: env(),
    });
    expect(code).toBe(0);
    const job = (await request(service(), `/speechtotext/v1/jobs/${stdout.trim()}`)).json();
    expect(job).toMatchObject({ type: 'human_tc', name: 'session.wav' });
    const done = await runCommand(['transcribe', cassette], { env: env() });
    expect(done).toMatchObject({ code: 0, stdout: 'Speaker 0    00:00:00    W4 w7. W9.\n' });
  },
);

test('transcribe refuses other lines of JSON', async () => {
  const path = join(await temporaryDirectory(), 'notes.jsonl');
  await writeFile(path, '{"type":"note"}\n');
  const { code, stderr } = await runCommand(['transcribe', path], { env: env() });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(path) });
});
