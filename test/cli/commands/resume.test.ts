import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSpool } from '../../../src/client/spool/openSpool.ts';
import type { SpoolNote } from '../../../src/client/spool/spool.ts';
import { jsonLines, runCommand, runProcess, startCommand } from '../../helpers/commandLine.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService } from '../../helpers/keptService.ts';
import { leaveSpool } from '../../helpers/leaveSpool.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { countedLevels, finalOf, holeOf, SCRIPTED_FORMAT } from '../../helpers/repairRun.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService();

const levels = countedLevels(60);
const notes: readonly SpoolNote[] = [
  { type: 'event', event: { type: 'connected', id: 'session1' } },
  { type: 'event', event: finalOf(countedLevels(20), 0) },
  { type: 'event', event: holeOf(20, 30).event },
  { type: 'ended', endFrame: 96_000 },
];
const ALL_WORDS = levels.map(level => `w${level}`).join(' ');
const left = (more: Partial<Parameters<typeof leaveSpool>[0]> = {}) =>
  leaveSpool({ levels, notes, addresses: [service().url], ...more });
const resume = (...args: readonly string[]) =>
  runCommand(['resume', ...args], { env: { RXSCRIBE_URL: service().url, RXSCRIBE_TOKEN: TEST_TOKEN } });

describe('resume', { timeout: 120_000 }, () => {
  test('prints and writes the whole transcript, and deletes the spool', async () => {
    const path = await left();
    const out = join(await temporaryDirectory(), 'talk.json');
    const { code, stdout, stderr } = await resume(path, '--out', out);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Speaker 0    00:00:00    ${ALL_WORDS}\n`,
      stderr: '',
    });
    expect(JSON.parse(await readFile(out, 'utf8')).monologues[0].elements).toHaveLength(119);
    expect(existsSync(path)).toBe(false);
  });

  test('reports progress as JSON lines, with the coverage', async () => {
    const { code, stdout } = await resume(await left(), '--json');
    expect(code).toBe(0);
    const lines = jsonLines(stdout);
    const hole = { start_frame: 32_000, end_frame: 96_000, job_id: expect.any(String) };
    expect(lines).toMatchObject([
      { type: 'hole', ts: 3, end_ts: 6, cause: 'killed' },
      { type: 'status', status: 'repairing', ...hole },
      { type: 'repair', ts: 2, end_ts: 6 },
      { type: 'status', status: 'repaired', ...hole },
      {
        type: 'transcript',
        coverage: [
          { ts: 0, end_ts: 2, kind: 'final', provenance: 'live' },
          { ts: 2, end_ts: 6, kind: 'final', provenance: 'repaired' },
        ],
      },
    ]);
  });

  test('needs the token of the service that the spool names', async () => {
    const path = await left();
    const { code, stderr } = await runCommand(['resume', path]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--token for its service ${service().url}`),
    });
    const refused = await runCommand(['resume', path, '--token', 'another-token']);
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`rxscribe resume ${path}`) });
    expect(existsSync(path)).toBe(true);
  });

  test('gives the token of the environment to no service that only the spool names', async () => {
    const thief = await startHttpService(() => ({ json: {} }));
    for (const addresses of [[thief.url], [thief.url, service().url]]) {
      const path = await left({ addresses });
      for (const url of [undefined, service().url]) {
        const env = { RXSCRIBE_TOKEN: TEST_TOKEN, ...(url && { RXSCRIBE_URL: url }) };
        const { code, stderr } = await runCommand(['resume', path], { env });
        const isItsOwn = addresses.includes(url ?? '');
        expect(code).toBe(isItsOwn ? 0 : 2);
        expect(stderr).toContain(isItsOwn ? '' : `--token for its service ${thief.url}`);
      }
    }
    expect(thief.requests).toEqual([]);
  });

  test('calls no service that the spool names only for a job', async () => {
    const thief = await startHttpService(() => ({ json: {} }));
    const hole = { startFrame: 32_000, endFrame: 96_000 };
    const path = await left({ notes: [...notes, { type: 'job', hole, jobId: 'a1', address: thief.url }] });
    const { code, stdout } = await runCommand(['resume', path, '--token', TEST_TOKEN]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(ALL_WORDS) });
    expect(thief.requests).toEqual([]);
  });

  test('keeps the spool when the transcript cannot be printed, and has written it to files by then', {
    tags: 'slow',
  }, async () => {
    for (const how of [[], ['--json']]) {
      const path = await left();
      const out = join(await temporaryDirectory(), 'talk.txt');
      const { code, stderr } = await runProcess(['resume', path, '--out', out, ...how], {
        script: '"$@" > /dev/full',
        env: { RXSCRIBE_URL: service().url, RXSCRIBE_TOKEN: TEST_TOKEN },
      });
      expect(code).toBe(4);
      expect(stderr).toMatch(/^error: Cannot print the transcript: no space left on the device\. .*\n$/);
      expect(existsSync(path)).toBe(true);
      expect(await readFile(out, 'utf8')).toContain(ALL_WORDS);
    }
  });

  test('reports parts without text whose audio is lost', async () => {
    const gap = [35, 40] as const;
    const reported = [
      ...notes.slice(0, 2),
      { type: 'event', event: holeOf(20, 60).event } as const,
      notes[3]!,
    ];
    const { code, stderr } = await resume(await left({ gap, notes: reported }));
    const message = 'The audio from 3.5 to 4 s is lost, so these parts have no text.';
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${message}\n` });
    const { stdout } = await resume(await left({ gap, notes: reported }), '--json');
    const lines = jsonLines(stdout);
    expect(lines).toContainEqual({ type: 'warning', code: 'beyond-repair', message });
    expect(lines.at(-1).coverage).toMatchObject([
      { ts: 0, end_ts: 2, kind: 'final' },
      { ts: 2, end_ts: 3.5, kind: 'final', provenance: 'repaired' },
      { ts: 3.5, end_ts: 4, kind: 'hole', cause: 'gave-up' },
      { ts: 4, end_ts: 6, kind: 'final', provenance: 'repaired' },
    ]);
  });

  test('says that the source had not ended', async () => {
    const path = await left({ notes: notes.slice(0, -1) });
    expect(await resume(path)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The recording was cut off: .*\n$/),
    });
    const { stdout, stderr } = await resume(await left({ notes: notes.slice(0, -1) }), '--json');
    expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ type: 'warning', code: 'source-not-ended' });
    expect(stderr).toBe('');
  });

  test('prints a partial transcript and keeps the spool when a job fails', async () => {
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 1 });
    const failing = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
    const path = await left();
    const { code, stdout, stderr } = await resume(path, '--url', failing.url);
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: `Speaker 0    00:00:00    ${ALL_WORDS.slice(0, ALL_WORDS.indexOf(' w21'))}\n`,
    });
    expect(stderr).toContain('Cannot get the text of 2 to 6 s: Job ');
    expect(stderr).toContain(`rxscribe resume ${path}`);
    const again = await resume(path);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(ALL_WORDS) });
  });

  test('keeps the spool when it is interrupted, and says so', async () => {
    const json = { id: 'a1', created_on: '2026-01-01T00:00:00Z', status: 'in_progress', type: 'async' };
    const endless = await startHttpService(() => ({ json }));
    const path = await left();
    const args = ['resume', path, '--json', '--url', endless.url, '--token', TEST_TOKEN];
    await using running = startCommand(args);
    await running.line(/repairing/);
    running.interrupt();
    const { code, stderr } = await running.done;
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: `The spool is kept. To finish it, run: rxscribe resume ${path} --url ${endless.url}\n`,
    });
    // The job goes on at that service; this one does not know it.
    const again = await resume(path, '--url', service().url);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(ALL_WORDS) });
  });

  testRecognizer('uses an embedded service for a spool that names none', async () => {
    const path = join(await temporaryDirectory(), 'talk.spool');
    const subject = { addresses: [], query: {}, marginSeconds: 2 };
    const spool = openSpool({ path, subject, format: SCRIPTED_FORMAT });
    const samples = new Uint8Array((await readFile('samples/not-ill-disposed.wav')).subarray(44));
    spool.store.append({ startFrame: 0, frames: samples.length / 2, bytes: samples });
    spool.note({ type: 'ended', endFrame: samples.length / 2 });
    spool.close();
    const { code, stdout, stderr } = await runCommand(['resume', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Speaker 0 {4}00:00:00 {4}He was .*man\.\n$/);
  });
});
