import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { quantileOf, sumOf, sumOfProcesses } from '../../../src/cli/print/opsFigures.ts';
import type { OverviewJson } from '../../../src/protocol/admin.ts';
import { runCommand, startCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { keptService, postMedia } from '../../helpers/keptService.ts';
import { socketServer } from '../../helpers/loopbackServer.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';
import { typedShell } from '../../helpers/typedShell.ts';

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

test('ops counts the human jobs that wait, and job waiting shows claims that hold', async () => {
  const { id } = (await postMedia(service(), JOBS, undefined, { transcriber: 'human' })).json();
  const job = (...args: string[]) => runCommand(['job', ...args, '--data', data]);
  await eventually(async () => expect((await job('waiting')).stdout).toContain(id));
  await job('claim', id, '--worker', 'Ann', '--seconds', '1');
  await eventually(async () => expect((await job('waiting')).stdout).not.toContain('Ann'));
  // The figures are those of the last ten seconds.
  await eventually(async () => {
    const { stdout } = await runCommand(['ops', '--data', data, '--once']);
    expect(stdout).toMatch(/ · 1 human job waiting \(oldest \d/);
  });
  const { stdout } = await runCommand(['ops', '--data', data, '--once'], { columns: 160 });
  expect(stdout).toMatch(/^for people +1 +\S+ \S+ +0 claimed, 0 overdue$/m);
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

const at = (url: string) => ['ops', '--url', url, '--admin-token', 'a'.repeat(32), '--once'];

test('ops does not wait for a service that accepts and never answers', async () => {
  let connected = () => {};
  const { url } = await socketServer(() => connected());
  const { code, stderr } = await runCommand(at(url), { clock: hurriedClock });
  expect(code).toBe(4);
  expect(stderr).toMatch(/^error: Cannot read the overview: .*10 s/);
  const connection = new Promise<void>(resolve => (connected = resolve));
  await using running = startCommand(at(url));
  await connection;
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 0, stderr: '' });
});

test.for(['{}', '[]', 'null', '7', '{"processes":[{}],"figures":{}}', '{"processes":[],"figures":[7]}'])(
  'ops says that an answer is not that of a service: %s',
  async text => {
    const other = await startHttpService(() => ({ text }));
    const { code, stdout, stderr } = await runCommand(at(other.url));
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^error: Cannot read the overview: the response is not valid \(/);
  },
);

test('ops shows its head in a small window', async () => {
  await using running = startCommand(['ops', '--data', data, '--every', '1'], { columns: 60, rows: 8 });
  await running.line(/^…/);
  running.interrupt();
  const lines = (await running.done).stdout.split('\u001b[H')[1]!.split('\n');
  expect(lines.length).toBeLessThanOrEqual(8);
  expect(lines[0]).toMatch(/1 process · 0 streams, 0 waiting/);
  expect(lines.slice(0, 3).join(' ')).toMatch(/1 human job waiting \(oldest .*\) · 0 notifications waiting$/);
});

test('ops ends on q', { tags: ['tools', 'slow'] }, async context => {
  needsProgram(context, 'script');
  const cli = new URL('../../../src/cli.ts', import.meta.url).pathname;
  const command = `node --conditions=source ${cli} ops --data ${data}`;
  expect(await typedShell(command, { keys: 'q', cwd: data, prompt: 'Ended (' })).toContain('1 process');
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
