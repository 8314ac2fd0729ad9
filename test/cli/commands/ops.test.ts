import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { quantileOf, sumOf, sumOfProcesses } from '../../../src/cli/print/opsFigures.ts';
import type { OverviewJson } from '../../../src/protocol/admin.ts';
import { runCommand, startCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, postMedia } from '../../helpers/keptService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';

const data = sharedDirectory();
const service = keptService({ dataDirectory: data });
const JOBS = '/speechtotext/v1/jobs';

beforeAll(async () => {
  const stream = connectStream(service());
  await stream.connected;
  stream.send(scriptedSpeech([4, 7]));
  stream.send('EOS');
  await stream.closed;
  const { id } = (await postMedia(service(), JOBS)).json();
  await eventually(async () => {
    const job = await request(service(), `${JOBS}/${id}`);
    expect(job.json().status).toBe('transcribed');
  });
});

test('ops shows the processes, queues, times and ends of a service in a terminal', async () => {
  // The queue learns that a job has ended after those who wait for the job do.
  await eventually(async () => {
    expect((await runCommand(['ops', '--data', data, '--once'])).stdout).toContain('0 jobs running');
  });
  const { code, stdout, stderr } = await runCommand(['ops', '--data', data, '--once'], { columns: 160 });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^1 process · 0 streams, 0 waiting, any number free · /);
  expect(stdout).toMatch(/^Process +Role +Version +Up +Streams/m);
  expect(stdout).toMatch(/^\S+ \w{6} +all +\d+\.\d+\.\d+/m);
  expect(stdout).toMatch(/^jobs +0 +– +0$/m);
  expect(stdout).toMatch(/^objects +≤ [\d.]+ m?s +≤ [\d.]+ m?s/m);
  expect(stdout).toMatch(/streams by close code +1000: 1\n/);
  expect(stdout).toMatch(/jobs by outcome +done: 2\n/);
  expect(stdout).not.toContain('undefined');
});

test('ops prints a line a look for other programs, or a JSON object', async () => {
  const line = await runCommand(['ops', '--data', data, '--once']);
  expect(line.stdout).toMatch(/^1 process · 0 streams, .* · 0 notifications waiting\n$/);
  const json = await runCommand(['ops', '--data', data, '--once', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    processes: [{ role: 'all', is_alive: true }],
    figures: {
      'rxscribe.jobs.waiting': expect.arrayContaining([{ attributes: { lane: 'jobs' }, value: 0 }]),
    },
  });
});

test('ops looks again and again until it is interrupted', async () => {
  await using running = startCommand(['ops', '--data', data, '--every', '1']);
  await running.line(/^1 process/);
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 0, stderr: '' });
});

test('ops says that no service is running', async () => {
  const { code, stderr } = await runCommand(['ops', '--data', join(data, 'nothing'), '--once']);
  expect(code).toBe(4);
  expect(stderr).toContain('No service is running with the data directory');
});

const process = (id: string, done: number, buckets: number[]): OverviewJson['processes'][number] => ({
  ...{ id, role: 'all', version: '1.0.0', host: 'one', is_alive: true },
  started_on: '2026-01-01T00:00:00Z',
  seen_on: '2026-01-01T00:01:00Z',
  figures: {
    jobs: [{ attributes: { outcome: 'done' }, value: done }],
    delay: [{ attributes: {}, value: 1, boundaries: [0.1, 1, 10], buckets }],
  },
});

test('what processes have counted is that since an earlier look, of all processes together', () => {
  const overview = {
    processes: [process('one', 7, [5, 5, 0, 0]), process('new', 2, [0, 0, 1, 1])],
    figures: {},
  };
  const before = { overview: { processes: [process('one', 4, [5, 0, 0, 0])], figures: {} }, secondsAgo: 60 };
  expect(sumOf(sumOfProcesses(overview), 'jobs', { outcome: 'done' })).toBe(9);
  const recent = sumOfProcesses(overview, before);
  expect(sumOf(recent, 'jobs')).toBe(5);
  expect(recent.delay?.[0]?.buckets).toEqual([0, 5, 1, 1]);
  expect(quantileOf(recent.delay!, 0.5)).toBe(1);
  expect(quantileOf(recent.delay!, 0.8)).toBe(10);
  expect(quantileOf(recent.delay!, 1)).toBe(Number.POSITIVE_INFINITY);
  expect(quantileOf([], 0.5)).toBeUndefined();
});
