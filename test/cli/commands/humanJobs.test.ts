import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines, runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const data = sharedDirectory();
const service = keptService({ dataDirectory: data });

const headers = { authorization: `Bearer ${TEST_TOKEN}` };

test('job finish ends a job that a person claimed, with a file or with standard input', async () => {
  const { url } = service();
  const job = (...args: string[]) => runCommand(['job', ...args, '--data', data]);
  const submit = async () => {
    const form = new FormData();
    form.append('media', new Blob([new Uint8Array(speechFile())], { type: 'audio/wav' }), 'speech.wav');
    form.append('options', '{"transcriber":"human"}');
    const answer = await fetch(`${url}/speechtotext/v1/jobs`, { method: 'POST', body: form, headers });
    return ((await answer.json()) as { id: string }).id;
  };
  const textOf = async (id: string) =>
    (
      await fetch(`${url}/speechtotext/v1/jobs/${id}/transcript`, {
        headers: { ...headers, accept: 'text/plain' },
      })
    ).text();
  const [first, second] = [await submit(), await submit()];
  await eventually(async () => {
    const { stdout } = await job('waiting');
    const ids = jsonLines(stdout).map(({ id }) => id);
    expect(ids.sort()).toEqual([first, second].sort());
  });

  const [{ created_on, due_from, due_until }] = jsonLines((await job('waiting')).stdout);
  const hours = [due_from, due_until].map(due => (Date.parse(due) - Date.parse(created_on)) / 3_600_000);
  expect(hours).toEqual([12, 24]);

  const claimed = await job('claim', first, '--worker', 'Ann');
  expect(JSON.parse(claimed.stdout)).toMatchObject({ id: first, claimed_by: 'Ann' });
  const refused = await job('claim', first, '--worker', 'Bob');
  expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('Another person') });
  expect(await job('claim', first, '--worker', 'Ann', '--release')).toMatchObject({ code: 0, stdout: '' });

  const file = join(data, 'work.txt');
  await writeFile(file, 'Good morning.\n');
  expect(await job('finish', first, file)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await textOf(first)).toBe('Speaker 0    00:00:00    Good morning.\n');

  const elements = [{ type: 'text', value: 'Mine', ts: 0.1, end_ts: 0.2 }];
  const stdin = Buffer.from(JSON.stringify({ monologues: [{ speaker: 2, elements }] }));
  expect(await runCommand(['job', 'finish', second, '-', '--data', data], { stdin })).toMatchObject({
    code: 0,
  });
  expect(await textOf(second)).toBe('Speaker 2    00:00:00    Mine\n');

  // As after an answer that was lost; other work is too late.
  expect(await job('finish', first, file)).toMatchObject({ code: 0 });
  await writeFile(file, 'Good evening.\n');
  expect(await job('finish', first, file)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('is not waiting for a person'),
  });
  expect(await job('finish', first, join(data, 'nothing.txt'))).toMatchObject({ code: 3, stdout: '' });
});

test('job waiting notes that further jobs are not listed', async () => {
  const waiting = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `job${id}` }));
  const list = async (count: number) => {
    const { url } = await startHttpService(() => ({ json: waiting(count) }));
    return runCommand(['job', 'waiting', '--url', url, '--admin-token', 'operator']);
  };
  expect(await list(999)).toMatchObject({ code: 0, stderr: '' });
  const { stdout, stderr } = await list(1000);
  expect(stdout.trim().split('\n')).toHaveLength(1000);
  expect(stderr).toBe('Only the first 1000 waiting jobs are listed.\n');
});
