import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { HolesRemainError } from '../../../src/client/fallback/holeRepairs.ts';
import { JobFailedError } from '../../../src/client/jobs/requestErrors.ts';
import { UnreachableError } from '../../../src/client/serviceErrors.ts';
import { accountWith } from '../../helpers/accountWith.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { DESK_ADMIN_TOKEN } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { keptService } from '../../helpers/keptService.ts';
import { socketServer } from '../../helpers/loopbackServer.ts';
import { countedLevels, holeOf, type RepairRun, repairedWords, repairRun } from '../../helpers/repairRun.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({
  adminToken: DESK_ADMIN_TOKEN,
  limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } },
});

const MIB = 1024 * 1024;
const JOB = { id: 'a1', created_on: '2026-01-01T00:00:00Z', status: 'in_progress', type: 'async' };
/** The result of a job whose media is scripted speech from 0 s on. */
const TRANSCRIPT = {
  monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'w11', ts: 1, end_ts: 1.1 }] }],
};

const levels = countedLevels(60);
const wordsOf = (from: number, to: number) => countedLevels(to - from, from + 1).map(level => `w${level}`);
const wordsIn = (run: RepairRun) => repairedWords(run.events).map(([word]) => word);

/** A run with a hole of two seconds, which has been repaired. */
async function repaired(options: Parameters<typeof repairRun>[0]): Promise<RepairRun> {
  const run = repairRun(options);
  run.declare(holeOf(10, 30));
  await run.repairs.done();
  return run;
}

/** The address of a port on which nothing listens. */
const freeAddress = async () => `http://127.0.0.1:${(await freePorts(1)).join()}`;

describe('an unreachable service', () => {
  test('is waited for', async () => {
    const url = await freeAddress();
    const run = repairRun({ url, levels });
    run.declare(holeOf(10, 30));
    const { error, ...delayed } = await run.status('repair-delayed');
    expect(error).toBeInstanceOf(UnreachableError);
    expect(delayed).toMatchObject({ startFrame: 16_000, endFrame: 48_000, delayMs: expect.any(Number) });
    await startTestService({ port: Number(new URL(url).port), dataDirectory: await dataDirectory() });
    await run.repairs.done();
    expect(wordsIn(run)).toEqual(wordsOf(10, 30));
  });

  test('is replaced by the next one', async () => {
    const away = await freeAddress();
    const run = await repaired({ url: [away, service().url], levels });
    expect(wordsIn(run)).toEqual(wordsOf(10, 30));
    expect(run.notes).toMatchObject([{ type: 'job', address: service().url }]);
  });

  test('is not waited for longer than the option allows', async () => {
    const url = await freeAddress();
    const spoolPath = '/spools/talk.spool';
    const run = repairRun({ url, levels, fallback: { retryForSeconds: 0 }, spoolPath });
    run.declare(holeOf(10, 30));
    const error = await run.repairs.done().catch(thrown => thrown);
    expect(error).toBeInstanceOf(HolesRemainError);
    expect(error).toMatchObject({ code: 'unreachable', cause: expect.any(UnreachableError) });
    expect(error.message).toContain('1 to 3 s');
    expect(error.advice).toContain('rxscribe resume /spools/talk.spool');
    expect(run.statuses).toMatchObject([{ type: 'warning', code: 'not-repaired' }]);
    // Somebody may still resume.
    expect(run.store.read(16_000, 1)?.startFrame).toBe(16_000);
  });

  test('is asked again about a job that it has, and gets no second one', async () => {
    let looks = 0;
    const http = await startHttpService(({ method, url }) => {
      if (method === 'POST') return { json: JOB };
      if (url.endsWith('/transcript')) return { json: TRANSCRIPT };
      looks++;
      if (looks < 4) return { status: 503, json: { title: 'later' } };
      return { json: { ...JOB, status: 'transcribed' } };
    });
    const run = await repaired({ url: http.url, levels, fallback: { marginSeconds: 0 } });
    expect(http.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(repairedWords(run.events)).toEqual([['w11', 2]]);
  });
});

describe('a service that becomes unreachable after it got a job', () => {
  test('loses it to the next one after a while', async () => {
    const first = await startHttpService(({ method }) =>
      method === 'POST' ? { json: JOB } : { status: 503, json: { title: 'later' } },
    );
    const clock = { ...hurriedClock, now: () => hurriedClock.now() * 1000 };
    const run = await repaired({ url: [first.url, service().url], levels, clock });
    expect(wordsIn(run)).toEqual(wordsOf(10, 30));
    expect(run.notes).toMatchObject([{ address: first.url }, { address: service().url }]);
    expect(run.statuses.filter(({ type }) => type === 'repair-delayed').length).toBeGreaterThan(1);
    expect(first.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('a job that does not end', () => {
  /** The time that the first jobs are given passes at once. */
  function clockPast(jobs: number): Clock {
    let limits = 0;
    return {
      ...hurriedClock,
      schedule: (delayMs, callback) =>
        hurriedClock.schedule(delayMs > 60_000 && limits++ < jobs ? 0 : delayMs, callback),
    };
  }

  test('is submitted once more', async () => {
    let submissions = 0;
    const http = await startHttpService(({ method, url }) => {
      if (method === 'POST') return { json: { ...JOB, id: `a${submissions++}` } };
      if (url.endsWith('/transcript')) return { json: TRANSCRIPT };
      return { json: url.endsWith('/a1') ? { ...JOB, id: 'a1', status: 'transcribed' } : JOB };
    });
    const run = await repaired({
      url: http.url,
      levels,
      clock: clockPast(1),
      fallback: { marginSeconds: 0 },
    });
    expect(run.events).toMatchObject([{ jobId: 'a1' }]);
  });

  test('leaves its hole the second time, with the duration of the wait', async () => {
    const http = await startHttpService(() => ({ json: JOB }));
    const run = repairRun({ url: http.url, levels, clock: clockPast(2), fallback: { marginSeconds: 0 } });
    run.declare(holeOf(10, 30));
    const error = await run.repairs.done().catch(thrown => thrown);
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/within 6\d\d s/),
    });
    expect(http.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});

test('a function for tokens that rejects is called again later', async () => {
  let asked = 0;
  const token = async () => {
    if (asked++ === 0) throw new Error('the service of tokens is away');
    return TEST_TOKEN;
  };
  const run = await repaired({ url: service().url, levels, token });
  expect(run.statuses[0]).toMatchObject({ type: 'repair-delayed', error: { code: 'unauthorized' } });
  expect(wordsIn(run)).toEqual(wordsOf(10, 30));
});

describe('an account without credit', () => {
  test('is waited for when an accepted job fails for lack of credit', async () => {
    let submissions = 0;
    const http = await startHttpService(({ method, url }) => {
      if (method === 'POST') return { json: { ...JOB, id: `a${submissions++}` } };
      if (url.endsWith('/transcript')) return { json: TRANSCRIPT };
      if (url.endsWith('/a2')) return { json: { ...JOB, id: 'a2', status: 'transcribed' } };
      return { json: { ...JOB, status: 'failed', failure: 'insufficient_balance' } };
    });
    const run = await repaired({ url: http.url, levels, fallback: { marginSeconds: 0 } });
    expect(run.events).toMatchObject([{ jobId: 'a2' }]);
    expect(run.statuses.filter(({ type }) => type === 'repair-delayed')).toHaveLength(2);
  });
});

describe('a job that fails', () => {
  test('leaves its hole, and no other', async () => {
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 7 });
    const failing = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
    const run = repairRun({ url: failing.url, levels: countedLevels(200) });
    run.declare(holeOf(10, 30));
    run.declare(holeOf(50, 90));
    run.declare(holeOf(120, 140));
    const error = await run.repairs.done().catch(thrown => thrown);
    expect(error).toBeInstanceOf(HolesRemainError);
    expect(error).toMatchObject({ code: 'engine-failed', cause: expect.any(JobFailedError) });
    expect(error.holes).toMatchObject([{ hole: { startFrame: 80_000, endFrame: 144_000 } }]);
    expect(error.advice).toContain('lost');
    const warnings = run.statuses.filter(({ type }) => type === 'warning');
    expect(warnings).toMatchObject([{ code: 'not-repaired', message: expect.stringContaining('5 to 9 s') }]);
    expect(run.events.map(({ ts }) => ts).toSorted((left, right) => left - right)).toEqual([1, 12]);
    expect(run.store.read(80_000, 1)?.startFrame).toBe(80_000);
  });

  test('because its token is refused is not submitted again', async () => {
    const run = repairRun({ url: service().url, levels, token: async () => 'another-token' });
    run.declare(holeOf(10, 30));
    await expect(run.repairs.done()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(run.statuses.map(({ type }) => type)).toEqual(['warning']);
  });
});

describe('a job that is gone before its transcript was fetched', () => {
  test('is submitted once more with a longer retention', async () => {
    const { token, deleteAfter } = await accountWith(3600, service());
    await deleteAfter(0);
    const run = await repaired({ url: service().url, levels, token: async () => token });
    expect(wordsIn(run)).toEqual(wordsOf(10, 30));
    const ids = run.notes.map(note => note.type === 'job' && note.jobId);
    expect(ids).toHaveLength(2);
    expect(run.events[0]!.jobId).toBe(ids[1]);
    const authorization = `Bearer ${token}`;
    const job = await request(service(), `/speechtotext/v1/jobs/${ids[1]}`, { headers: { authorization } });
    expect(job.status).toBe(404);
  });

  test('leaves its hole the second time', async () => {
    const http = await startHttpService(({ method }) =>
      method === 'POST' ? { json: JOB } : { status: 404, json: { title: 'could not find job' } },
    );
    const run = repairRun({ url: http.url, levels });
    run.declare(holeOf(10, 30));
    await expect(run.repairs.done()).rejects.toMatchObject({ code: 'not-found' });
    expect(http.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});

test('a hole without any audio stays', async () => {
  const run = repairRun({ url: service().url, levels, gap: [10, 30] });
  run.declare(holeOf(10, 30));
  await expect(run.repairs.done()).rejects.toMatchObject({ code: 'audio-missing' });
});

describe('an upload', () => {
  /** A server that takes a mebibyte of a request, and then no more. */
  async function startStaller() {
    let bytes = 0;
    const closed = Promise.withResolvers<void>();
    let goOn = () => {};
    const { url } = await socketServer(socket => {
      goOn = () => void socket.removeAllListeners('data').resume();
      socket.on('close', () => closed.resolve());
      socket.on('data', data => {
        bytes += data.length;
        if (bytes > MIB) socket.pause();
      });
    });
    const stalled = () => eventually(() => expect(bytes).toBeGreaterThan(MIB));
    return { url, stalled, goOn: () => goOn(), closed: closed.promise };
  }

  test('reads no more audio than the service takes, and ends at once when it is closed', async () => {
    const staller = await startStaller();
    const halfHour = Array.from({ length: 18_000 }, (_, index) => index % 500);
    const sent: number[] = [];
    const run = repairRun({
      url: staller.url,
      levels: halfHour,
      fallback: { onProgress: progress => progress.type === 'uploading' && sent.push(progress.sentBytes) },
    });
    run.declare(holeOf(0, halfHour.length));
    await staller.stalled();
    run.repairs.close();
    await expect(run.repairs.done()).rejects.toMatchObject({ code: 'aborted' });
    staller.goOn();
    await staller.closed;
    // Of 57 MB; what is beyond that mebibyte stands in buffers of the machine.
    expect(sent.at(-1)).toBeLessThan(24 * MIB);
    expect(run.events).toEqual([]);
    expect(run.statuses).toEqual([]);
  });
});

test('a hole that is declared after the end of repairs is not begun', async () => {
  const run = repairRun({ url: service().url, levels });
  run.repairs.close();
  run.declare(holeOf(10, 30));
  await expect(run.repairs.done()).rejects.toMatchObject({ code: 'aborted' });
  expect(run.statuses).toEqual([]);
});
