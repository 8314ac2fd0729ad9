import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  deskAdministration,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import { zipOf } from '../../helpers/docx.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type GivenAnswer, startHttpService } from '../../helpers/httpService.ts';
import { keptService } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { request } from '../../helpers/testService.ts';

const data = sharedDirectory();
const service = keptService({
  dataDirectory: data,
  adminToken: DESK_ADMIN_TOKEN,
  aligner: createScriptedAligner(),
});

const overSocket = (...args: string[]) => runCommand(['desk', ...args, '--data', data]);
const overNetwork = (...args: string[]) =>
  runCommand(['desk', ...args, '--url', service().url], { env: { RXSCRIBE_ADMIN_TOKEN: DESK_ADMIN_TOKEN } });

const DONE = { code: 0, stdout: '', stderr: '' };
const work = sharedDirectory();
let count = 0;
const newPath = () => join(work, String(count++));

async function wordsOf(id: string) {
  const headers = { accept: 'application/vnd.svc.transcript.v1.0+json' };
  const answer = await request(service(), `/speechtotext/v1/jobs/${id}/transcript`, { headers });
  const { monologues } = answer.json();
  return monologues.flatMap(({ elements }: { elements: readonly { type: string }[] }) =>
    elements.filter(({ type }) => type === 'text'),
  );
}

const textOf = async (id: string) =>
  (await request(service(), `/speechtotext/v1/jobs/${id}/transcript`, { headers: { accept: 'text/plain' } }))
    .text;

describe('desk export', () => {
  test.each([
    ['a socket', overSocket],
    ['the network', overNetwork],
  ])('claims a job and writes its parts, over %s', async (_, run) => {
    const id = await waitingHumanJob(service(), { verbatim: true, speaker_names: [{ display_name: 'Ada' }] });
    const directory = newPath();
    const { code, stdout, stderr } = await run('export', id, directory, '--worker', 'House');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const job = JSON.parse(stdout);
    expect(job).toMatchObject({ id, claimed_by: 'House' });
    expect((Date.parse(job.claimed_until) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);

    const names = ['audio.wav', 'instructions.json', 'transcript.txt', 'words.json'];
    expect(readdirSync(directory).sort()).toEqual(names);
    for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    const read = (name: string) => readFile(join(directory, name));
    const audio = await read('audio.wav');
    expect(audio.subarray(0, 4).toString()).toBe('RIFF');
    expect(audio.length).toBe(44 + 2 * 16_000 * job.duration_seconds);
    expect(JSON.parse(String(await read('instructions.json')))).toMatchObject({
      job: { id },
      verbatim: true,
      speaker_names: ['Ada'],
      segments: [{ start: 0, end: job.duration_seconds }],
    });
    expect(JSON.parse(String(await read('words.json')))).toMatchObject({
      revision: 0,
      turns: [{ speaker: 0, text: 'W4 w7. W9.', words: [[0, 2, 0, 0.1, expect.any(Number)], {}, {}] }],
    });
    expect(String(await read('transcript.txt'))).toBe('Speaker 0: W4 w7. W9.\n');

    const person = await addPerson(service(), `ann${count}`);
    expect((await person.call('POST', `/jobs/${id}/claim`)).json().current_value).toBe('claimed');
    const events = (await deskAdministration(service(), 'GET', '/desk/events')).json();
    expect(events).toContainEqual({ on: expect.any(String), user: 'House', action: 'export', job_id: id });
  });

  test('has the latest draft', async () => {
    const id = await waitingHumanJob(service());
    const bob = await addPerson(service(), 'bob');
    await bob.call('POST', `/jobs/${id}/claim`);
    await bob.call('GET', `/jobs/${id}/draft`);
    const turns = [
      { speaker: 0, text: 'Mine.', words: [[0, 4, 0.1, 0.2]] },
      { speaker: 1, text: '[inaudible]', words: [] },
    ];
    await bob.call('PATCH', `/jobs/${id}/draft`, { revision: 0, from: 0, to: 1, turns });
    const directory = newPath();
    const refused = await overSocket('export', id, directory, '--worker', 'House');
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('Another person has claimed the job');
    expect(refused.stderr).toContain("'rxscribe job waiting' shows who");
    expect(existsSync(directory)).toBe(false);

    await bob.call('POST', `/jobs/${id}/release`);
    expect(await overSocket('export', id, directory, '--worker', 'House')).toMatchObject({ code: 0 });
    const words = JSON.parse(String(await readFile(join(directory, 'words.json'))));
    expect(words).toEqual({ revision: 1, turns });
    const text = String(await readFile(join(directory, 'transcript.txt')));
    expect(text).toBe('Speaker 0: Mine.\nSpeaker 1: [inaudible]\n');
  });

  test('changes nothing when the directory cannot be used, or the connection ends', async () => {
    const id = await waitingHumanJob(service());
    const claimedBy = async () => {
      const { stdout } = await runCommand(['job', 'waiting', '--data', data]);
      return jsonLines(stdout).find(job => job.id === id).claimed_by;
    };
    const full = newPath();
    mkdirSync(full);
    await writeFile(join(full, 'mine.txt'), 'mine');
    const refused = await overSocket('export', id, full, '--worker', 'House');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
    const inFile = join(full, 'mine.txt', 'talk');
    expect(await overSocket('export', id, inFile, '--worker', 'House')).toMatchObject({ code: 3 });
    expect(await claimedBy()).toBeUndefined();
    expect(readdirSync(full)).toEqual(['mine.txt']);

    /** Passes all on but the audio. */
    const without = (audio: () => Promise<GivenAnswer>) =>
      startHttpService(async ({ method, url, json }) => {
        if (method === 'GET') return audio();
        const [, path] = url.split('/admin/v1');
        const { status, text } = await deskAdministration(service(), 'POST', path!, json());
        return { status, text };
      });
    const silent = await without(() => new Promise(() => {}));
    const interrupted = newPath();
    const waiting = ['desk', 'export', id, interrupted, '--worker', 'House', '--url', silent.url];
    await using running = startCommand([...waiting, '--admin-token', DESK_ADMIN_TOKEN]);
    await eventually(() => expect(readdirSync(interrupted)).toEqual(['.audio.wav.part']));
    expect(await claimedBy()).toBe('House');
    running.interrupt();
    expect(await running.done).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(existsSync(interrupted)).toBe(false);
    expect(await claimedBy()).toBeUndefined();

    const half = await without(async () => ({
      bytes: Buffer.alloc(10),
      headers: { 'content-length': '100' },
    }));
    setTimeout(() => void half.close(), 1000);
    const directory = newPath();
    const args = ['desk', 'export', id, directory, '--worker', 'House', '--url', half.url];
    const broken = await runCommand([...args, '--admin-token', DESK_ADMIN_TOKEN]);
    expect(broken).toMatchObject({ code: 4, stdout: '' });
    expect(existsSync(directory)).toBe(false);
  });
});

describe('desk import', () => {
  async function exported(options: object = {}): Promise<{ id: string; directory: string }> {
    const id = await waitingHumanJob(service(), options);
    const directory = newPath();
    expect(await overSocket('export', id, directory, '--worker', 'House')).toMatchObject({ code: 0 });
    return { id, directory };
  }

  test.each(['words.json', 'transcript.txt'])('takes %s back, with the same times', async name => {
    const { id, directory } = await exported({ speaker_names: [{ display_name: 'Ada' }] });
    const file = join(directory, name);
    expect(await overNetwork('import', id, file, '--worker', 'House')).toEqual(DONE);
    expect(await textOf(id)).toBe('Speaker 0    00:00:00    W4 w7. W9.\n');
    const times = (await wordsOf(id)).map(({ ts, end_ts }: { ts: number; end_ts: number }) => [ts, end_ts]);
    const { turns } = JSON.parse(String(await readFile(join(directory, 'words.json'))));
    expect(times).toEqual(turns[0].words.map(([, , ts, end]: number[]) => [ts, end]));
    const events = (await deskAdministration(service(), 'GET', '/desk/events')).json();
    expect(events).toContainEqual({ on: expect.any(String), user: 'House', action: 'import', job_id: id });
  });

  test('takes changed text, in which new words have times of their own', async () => {
    const { id, directory } = await exported();
    const file = join(directory, 'transcript.txt');
    await writeFile(file, 'Speaker 0: W4 new.\nSpeaker 1: W9!\n');
    expect(await overSocket('import', id, file, '--worker', 'House')).toEqual(DONE);
    const [w4, added, w9] = await wordsOf(id);
    expect([w4, w9]).toMatchObject([{ value: 'W4', ts: 0, end_ts: 0.1 }, { value: 'W9' }]);
    expect(added).toMatchObject({ value: 'new', ts: expect.any(Number), end_ts: expect.any(Number) });
    expect(added.ts).toBeGreaterThanOrEqual(w4.end_ts);
    expect(added.end_ts).toBeLessThanOrEqual(w9.ts);
    expect(await textOf(id)).toContain('Speaker 1    00:00:00    W9!\n');
  });

  test('takes a transcript from standard input for a job that nobody has claimed', async () => {
    const id = await waitingHumanJob(service());
    const elements = [{ type: 'text', value: 'Mine', ts: 0.1, end_ts: 0.2 }];
    const stdin = Buffer.from(JSON.stringify({ monologues: [{ speaker: 2, elements }] }));
    expect(await runCommand(['desk', 'import', id, '-', '--data', data], { stdin })).toEqual(DONE);
    expect(await wordsOf(id)).toMatchObject(elements);
  });

  test('takes a Word document, with the speakers of paragraphs and of a table', async () => {
    const names = [{ display_name: 'Anna' }, { display_name: 'Ben' }];
    const { id } = await exported({ speaker_names: names });
    const file = new URL('../../fixtures/human/interview.docx', import.meta.url).pathname;
    expect(await overNetwork('import', id, file, '--worker', 'House')).toEqual(DONE);
    const turns = (await textOf(id))
      .replaceAll(/ {4}[\d:]+ {4}/g, ': ')
      .trim()
      .split('\n');
    expect(turns).toEqual([
      'Anna: Good morning, everybody. It is nine o’clock.',
      'Ben: So it is & was.',
      'Anna: The child almost hurt the small dog.',
      'Ben: Drop the two. Thank you.',
    ]);
  });

  test('reports the refusals of the desk', async () => {
    const { id, directory } = await exported();
    const words = join(directory, 'words.json');
    const named = ['--worker', 'House'];
    const other = newPath();
    await writeFile(other, '{"turns": [{');
    const [unknown, latin, archive, cues] = [newPath(), newPath(), newPath(), newPath()];
    // UTF-16 is read, so that subtitles in it are known as such.
    await writeFile(cues, Buffer.from('\uFEFFWEBVTT\n\n00:01.000 --> 00:02.000\nW4\n', 'utf16le'));
    await writeFile(unknown, 'Speaker 0: W4.\nNobody Known: W7.\n');
    await writeFile(latin, Buffer.from('W4 caf\xe9', 'latin1'));
    await writeFile(archive, zipOf({ 'content.xml': '<a/>' }));
    for (const [file, args, message] of [
      [words, [], 'Another person has claimed the job'],
      [words, ['--worker', 'Other'], 'Another person has claimed the job'],
      [other, named, 'damaged JSON'],
      [unknown, named, 'Unknown speakers: "Nobody Known:" in line 2. Known are "Speaker 0:"'],
      [latin, named, 'not text in UTF-8'],
      [cues, named, 'must be text or JSON, not WebVTT'],
      [archive, named, 'The Word document cannot be read: it has no word/document.xml'],
    ] as const) {
      const run = await overSocket('import', id, file, ...args);
      expect(run).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(await overSocket('import', id, join(work, 'missing'), ...named)).toMatchObject({ code: 3 });
    expect(await overSocket('import', 'nothing', words, ...named)).toMatchObject({ code: 5 });
    expect(await overSocket('import', id, words, ...named)).toEqual(DONE);
    // An import that is repeated, as its answer was lost, is not refused.
    expect(await overSocket('import', id, words, ...named)).toEqual(DONE);
    await writeFile(other, 'Another text.');
    const late = expect.stringContaining('The job is not waiting for a person');
    expect(await overSocket('import', id, other, ...named)).toMatchObject({ code: 5, stderr: late });
  });

  test('says that it goes on, and waits through a restart of the service', async () => {
    const { id, directory } = await exported();
    const file = join(directory, 'transcript.txt');
    const answers: GivenAnswer[] = [
      { status: 202, text: '{"progress": 0}' },
      { status: 202, text: '{"progress": 0.5}' },
      { status: 503, text: '{"title": "Stopping", "status": 503}' },
    ];
    const restarting = await startHttpService(async ({ url, body }) => {
      const answer = answers.shift();
      if (answer) return answer;
      const imported = await request(service(), url, {
        method: 'POST',
        headers: { authorization: `Bearer ${DESK_ADMIN_TOKEN}`, 'content-type': 'text/plain' },
        body: String(body),
      });
      return { status: imported.status, text: imported.text };
    });
    const args = ['desk', 'import', id, file, '--worker', 'House', '--url', restarting.url];
    const run = await runCommand([...args, '--admin-token', DESK_ADMIN_TOKEN]);
    expect(run).toEqual({
      ...DONE,
      stderr: expect.stringMatching(
        /^The service has accepted the transcript\. [^\n]*\nimport job \w+: 50 %\n$/,
      ),
    });
    expect(restarting.requests.map(({ body }) => String(body))).toEqual(
      Array(4).fill(String(await readFile(file))),
    );
    expect(await textOf(id)).toContain('W4 w7. W9.');
  });

  test('shows a bar in a terminal; interrupted and started again, it waits for the same work', async () => {
    const { id, directory } = await exported();
    const file = join(directory, 'transcript.txt');
    let isDone = false;
    const working = await startHttpService(async () => {
      if (isDone) return { status: 204, text: '' };
      // Longer in all than a terminal takes to show the next state.
      await sleep(100);
      return { status: 202, text: '{"progress": 0.5}' };
    });
    const args = ['desk', 'import', id, file, '--worker', 'House', '--url', working.url];
    const command = [...args, '--admin-token', DESK_ADMIN_TOKEN];
    const first = startCommand(command, { columns: 100 });
    await eventually(() => expect(working.requests.length).toBeGreaterThan(5));
    first.interrupt();
    const { code, stderr } = await first.done;
    expect(code).toBe(130);
    expect(stderr).toMatch(/import job \w+ {2}█{12}░{12} 50 %.*Run the same command again/s);
    isDone = true;
    expect(await runCommand(command)).toEqual(DONE);
    expect(new Set(working.requests.map(({ body }) => String(body)))).toHaveLength(1);
  });

  test('lets others claim the job again when it fails', async () => {
    const id = await waitingHumanJob(service());
    const stdin = Buffer.from(' ');
    const run = await runCommand(['desk', 'import', id, '-', '--data', data], { stdin });
    expect(run).toMatchObject({ code: 5 });
    const cleo = await addPerson(service(), 'cleo');
    expect((await cleo.call('POST', `/jobs/${id}/claim`)).status).toBe(200);
  });
});
