import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { failuresIn } from '../../../src/replay/load/loadFigures.ts';
import type { LoadReport } from '../../../src/replay/load/runLoad.ts';
import { cli, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { scriptedRecordings } from '../../helpers/scriptedRecordings.ts';
import {
  connectedMessage,
  finalMessage,
  type StreamPeer,
  startStreamService,
} from '../../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** Three words in 0.3 s, and a pause. */
const SPEECH = [1, 2, 3, 0, 0, 0, 0];

async function recording(): Promise<string> {
  const directory = await scriptedRecordings({ talk: { levels: SPEECH } });
  return join(directory, 'talk.wav');
}

/** Limits that also a busy machine keeps. */
const LENIENT = ['--max-delay', '30', '--max-lag', '30'];

const at = ({ url }: { readonly url: string }) => ['--url', url, '--token', TEST_TOKEN];

async function load(args: readonly string[], service: { readonly url: string }) {
  const result = await runCommand(['load', await recording(), ...args, '--json', ...at(service)]);
  return { ...result, report: JSON.parse(result.stdout) as LoadReport };
}

describe('load', { tags: 'slow' }, () => {
  test('measures delays and words of streams that the service holds', async () => {
    const service = await startTestService();
    const { code, stderr, report } = await load(['--streams', '5', '--for', '12', ...LENIENT], service);
    expect(stderr).toBe('');
    expect(report.steps).toHaveLength(1);
    const { figures, missed } = report.steps[0]!;
    expect(missed).toEqual([]);
    expect(code).toBe(0);
    expect(report.isHeld).toBe(true);
    expect(report.held).toEqual({ streams: 5, jobs: 0 });
    // The recogniser waits for 0.3 s of silence.
    expect(figures.delay.final?.p50).toBeGreaterThanOrEqual(0.29);
    expect(figures.delay.final?.count).toBeGreaterThan(5);
    expect(figures.delay.firstPartial?.p50).toBeLessThan(figures.delay.final!.p50);
    expect(figures.lag?.count).toBeGreaterThan(20);
    expect(figures.lag?.p50).toBeLessThan(2);
    const { total } = report;
    expect(total.streams).toMatchObject({ connections: 5, accepted: 5, ended: 5, refused: {}, failed: {} });
    expect(total.words).toMatchObject({ missing: 0, extra: 0, changed: 0 });
    expect(total.words.expected).toBeGreaterThan(30);
    expect(JSON.stringify(report)).not.toContain(TEST_TOKEN);
  });

  test('finds the number of streams that a service holds', async () => {
    const service = await startTestService({ recognizer: createScriptedRecognizer({ maxSessions: 2 }) });
    const { code, report } = await load(cli`--streams 8 --ramp 2/10s --max-delay 4 --max-lag 4`, service);
    expect(report.steps.map(({ streams }) => streams)).toEqual([2, 4]);
    expect(report.steps.map(({ missed }) => missed.length > 0)).toEqual([false, true]);
    expect(report.steps[1]!.missed).toContain('lag');
    expect(report).toMatchObject({ held: { streams: 2, jobs: 0 }, isHeld: false });
    expect(code).toBe(6);
  });

  test('counts refused connections by their close code', async () => {
    const service = await startTestService({ limits: { account: { streams: 2 } } });
    const { code, report } = await load(['--streams', '3', '--for', '4'], service);
    expect(report.total.streams.refused['4029']).toBeGreaterThan(0);
    expect(report.steps[0]!.missed).toContain('failures');
    expect(code).toBe(6);
    const { report: lenient } = await load(cli`--streams 3 --for 4 --max-failures 100%`, service);
    expect(lenient.steps[0]!.missed).not.toContain('failures');
  });

  test('keeps jobs in flight, and measures how long they take', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    // A store that is slow for a while refuses a submission with 503.
    const { code, report } = await load(['--jobs', '2', '--for', '15', '--max-failures', '100%'], service);
    const { jobs } = report.total;
    expect({ unfinished: report.unfinished, code }).toEqual({ unfinished: 0, code: 0 });
    expect(jobs.ended + failuresIn(jobs.failed)).toBe(jobs.submitted);
    // More than those that it begins with.
    expect(jobs.submitted).toBeGreaterThan(2);
    expect(jobs.ended).toBeGreaterThan(0);
    expect(jobs.duration?.count).toBe(jobs.ended);
    expect(jobs.realTimeFactor).toBeGreaterThan(0);
    expect(report.held).toEqual({ streams: 0, jobs: 2 });
  });

  test('submits jobs at a rate, and reports those that were held back', async () => {
    const service = await startTestService({ dataDirectory: await dataDirectory() });
    const { report } = await load(['--jobs-per-minute', '120', '--for', '5'], service);
    expect(report.total.jobs.submitted).toBeGreaterThanOrEqual(8);
    expect(report.total.jobs.submitted).toBeLessThanOrEqual(11);
    const { code, report: bounded } = await load(cli`--jobs-per-minute 6000 --jobs 1 --for 3`, service);
    expect(bounded.total.jobs.heldBack).toBeGreaterThan(10);
    expect(bounded.steps[0]!.missed).toContain('jobs');
    expect(code).toBe(6);
  });

  test('begins streams anew after each session', async () => {
    const service = await startTestService();
    const { report } = await load(['--streams', '2', '--session', '3', '--for', '10'], service);
    expect(report.total.streams.connections).toBeGreaterThan(4);
    expect(report.total.streams.ended).toBe(report.total.streams.connections);
    expect(report.total.words).toMatchObject({ missing: 0, extra: 0 });
  });

  test('reports what it has measured when it is interrupted', async () => {
    const recognizer = createScriptedRecognizer();
    const service = await startTestService({ recognizer });
    const path = await recording();
    await using command = startCommand(['load', path, '--streams', '2', '--json', ...at(service)]);
    await eventually(() => expect(recognizer.opened.length).toBe(3));
    command.interrupt();
    const { code, stdout } = await command.done;
    const report: LoadReport = JSON.parse(stdout);
    expect(code).toBe(130);
    expect(report.steps).toMatchObject([{ streams: 2, isComplete: false }]);
    expect(report.isHeld).toBe(false);
    await eventually(() => expect(recognizer.openSessions).toBe(0));
  });

  test('ends a step for which this process is too slow', async () => {
    const recognizer = createScriptedRecognizer();
    const service = await startTestService({ recognizer });
    const loading = load(['--streams', '1', '--for', '300', ...LENIENT], service);
    await eventually(() => expect(recognizer.opened.length).toBe(2));
    for (let round = 0; round < 5; round++) {
      await new Promise(resolve => setTimeout(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2600);
    }
    const { code, report } = await loading;
    expect(report.steps[0]!.missed).toContain('generator');
    expect(report.steps[0]!.figures.generator.isLate).toBe(true);
    expect(code).toBe(6);
  });

  test('prints a row for each step, and a summary in a terminal', async () => {
    const service = await startTestService();
    const args = ['load', await recording(), '--streams', '2', '--ramp', '1/5s', ...LENIENT, ...at(service)];
    const [piped, shown] = await Promise.all([runCommand(args), runCommand(args, { columns: 80 })]);
    const [titles, ...rows] = piped.stdout.trimEnd().split('\n');
    expect(titles).toBe('Streams\tJobs\tFinal p50\tFinal p95\tFinal p99\tLag p95\tJobs/s\tFailures\tHeld');
    expect(rows).toEqual([1, 2].map(streams => expect.stringMatching(`^${streams}\t.*\tyes`)));
    expect(shown.stdout).toMatch(
      /^Streams {2}Final p50 {2}Final p95 {2}Final p99 {2}Lag p95 {2}Failures {2}Held$/m,
    );
    expect(shown.stdout).toContain('Held 2 streams, the full load.');
    expect(shown.stdout).toMatch(/^Final +[\d.]+ m?s +[\d.]+ m?s/m);
    expect(shown.stdout).toMatch(/^Words: \d+ expected, 0 missing, 0 extra, 0 changed\.$/m);
    expect(shown.stdout).toMatch(/^Generator: /m);
  });

  test('names the limit that was missed, and the failures, in a terminal', async () => {
    const service = await startTestService({ limits: { account: { streams: 1 } } });
    const args = ['load', await recording(), '--streams', '2', '--for', '5', ...LENIENT, ...at(service)];
    const { stdout } = await runCommand(args, { columns: 80 });
    expect(stdout).toContain('Not held: 2 streams, because too many connections or jobs failed.');
    expect(stdout).toMatch(/^Refused connections: \d+ × 4029 \(Too many requests\)\.$/m);
  });
});

/** Seconds of one repetition of {@link SPEECH}, with the pause. */
const PERIOD_SECONDS = 2.2;
const BYTES_PER_SECOND = 32_000;

/** Says one word for each repetition, after so many milliseconds; ends as it should. */
function saysWords(peer: StreamPeer, delayMs: number): void {
  let bytes = 0;
  let said = 0;
  peer.say(connectedMessage);
  peer.socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      setTimeout(() => peer.close(CLOSE.endOfInput), delayMs);
      return;
    }
    bytes += data.length;
    while (said * PERIOD_SECONDS + 0.4 < bytes / BYTES_PER_SECOND) {
      const ts = said++ * PERIOD_SECONDS;
      setTimeout(() => peer.say(finalMessage('word', ts, ts + 0.3)), delayMs);
    }
  });
}

describe('a load on a service that misbehaves', { tags: 'slow' }, () => {
  test('reports late finals', async () => {
    let isFirst = true;
    await using service = await startStreamService(peer => {
      saysWords(peer, isFirst ? 0 : 1500);
      isFirst = false;
    });
    const { code, report } = await load(cli`--streams 2 --for 12 --max-delay 1 --max-lag 1`, service);
    expect(report.steps[0]!.figures.delay.final?.p50).toBeGreaterThan(1.2);
    expect(report.steps[0]!.missed).toEqual(expect.arrayContaining(['delay', 'lag']));
    expect(code).toBe(6);
  });

  test('reports missing words and lag where no more finals come', async () => {
    let isFirst = true;
    await using service = await startStreamService(peer => {
      if (isFirst) saysWords(peer, 0);
      else {
        peer.say(connectedMessage);
        void peer.endOfStream().then(() => peer.close(CLOSE.endOfInput));
      }
      isFirst = false;
    });
    const { report } = await load(['--streams', '1', '--for', '9'], service);
    expect(report.steps[0]!.missed).toEqual(['finals', 'lag']);
    const { expected, missing } = report.total.words;
    expect(expected).toBeGreaterThan(1);
    expect(missing).toBe(expected);
  });

  test('goes on over a new connection, and reports those that broke', async () => {
    let connections = 0;
    await using service = await startStreamService(peer => {
      connections++;
      saysWords(peer, 0);
      if (connections === 2) setTimeout(() => peer.close(CLOSE.shuttingDown), 3000);
    });
    const { report } = await load(['--streams', '1', '--for', '8'], service);
    expect(report.total.streams).toMatchObject({ broken: { 4010: 1 }, refused: {}, failed: {}, ended: 1 });
  });

  test('begins no load when the service refuses the token', async () => {
    await using service = await startStreamService(peer => peer.close(CLOSE.unauthorized));
    const path = await recording();
    const { code, stdout, stderr } = await runCommand(['load', path, '--streams', '1', ...at(service)]);
    expect(code).toBe(5);
    expect(stdout).toBe('');
    expect(stderr).toContain('4001');
  });
});

describe('the load command refuses', () => {
  test.each([
    ['load', 'Give --streams, --jobs or --jobs-per-minute: the load to put on the service.'],
    ['load --streams 0', "--streams must be an integer from 1 to 20000, not '0'."],
    ['load --streams 5 --ramp 5', "--ramp must be NUMBER/TIME, such as 10/30s or 10/min, not '5'."],
    ['load --streams 5 --ramp 5/', "--ramp must be NUMBER/TIME, such as 10/30s or 10/min, not '5/'."],
    [
      'load --jobs-per-minute 5 --ramp 5/s',
      '--ramp requires --streams, or --jobs without --jobs-per-minute.',
    ],
    ['load --streams 20000 --ramp 1/s', '--ramp may have up to 1000 steps, not 20000.'],
    ['load --jobs 5 --session 5', '--session requires --streams.'],
    ['load --streams 5 --for 0', "--for must be a number of seconds above 0, not '0'."],
    [
      'load --streams 5 --max-failures 2',
      '--max-failures must be a share from 0 to 1, or a percentage such as',
    ],
  ])('%s', async (line, message) => {
    const { code, stderr } = await runCommand(line.split(' '));
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('a recording without words', async () => {
    const service = await startTestService();
    const directory = await scriptedRecordings({ silence: { levels: [0, 0, 0, 0] } });
    const path = join(directory, 'silence.wav');
    const { code, stderr } = await runCommand(['load', path, '--streams', '1', ...at(service)]);
    expect(stderr).toContain(`The service finds no words in '${path}'`);
    expect(code).toBe(3);
  });
});
