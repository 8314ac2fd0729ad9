import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import type { Job } from '../../../src/client/jobs/jobTypes.ts';
import { createNotificationReceiver } from '../../../src/client/jobs/notificationReceiver.ts';
import { JobFailedError } from '../../../src/client/jobs/requestErrors.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type GivenAnswer, startHttpService } from '../../helpers/httpService.ts';

const TOKEN = 'token-of-the-account';
const jobOf = (status: string, more = {}) => ({
  id: 'a1',
  created_on: '2026-01-01T00:00:00.000Z',
  type: 'async',
  status,
  ...more,
});
const RUNNING: GivenAnswer = { json: jobOf('in_progress') };
const DONE: GivenAnswer = { json: jobOf('transcribed') };
const GONE: GivenAnswer = { status: 404, json: { title: 'could not find job' } };

/** A service whose job goes through some answers, the last of them again and again, on a clock of its own. */
async function startJob(...answers: readonly GivenAnswer[]) {
  const clock = new VirtualClock();
  const looks: number[] = [];
  const story = { answers: [...answers] };
  const service = await startHttpService(() => {
    looks.push(clock.now());
    return story.answers.length > 1 ? story.answers.shift()! : story.answers[0]!;
  });
  const client = createClient({ url: service.url, token: TOKEN, clock, timeoutMs: 1e9 });
  const gaps = () => looks.slice(1).map((at, index) => at - looks[index]!);
  return { clock, service, client, looks, gaps, story };
}

describe('waiting for a job', () => {
  test('polls less and less often until the job has ended', async () => {
    const { client, clock, gaps } = await startJob(...Array(12).fill(RUNNING), DONE);
    const seen: Job[] = [];
    const waited = client.transcription.waitFor('a1', { onProgress: job => seen.push(job) });
    expect(await advanceUntil(clock, 50, waited)).toMatchObject({ id: 'a1', status: 'transcribed' });
    expect(seen.map(({ status }) => status)).toEqual([...Array(12).fill('in_progress'), 'transcribed']);
    const expected = gaps().map((_, round) => Math.min(15_000, 250 * 1.5 ** round));
    for (const [index, gap] of gaps().entries()) {
      expect(gap).toBeGreaterThanOrEqual(expected[index]! * 0.8 - 1);
      // The clock goes on while an answer is on its way.
      expect(gap).toBeLessThan(expected[index]! * 1.2 + 5000);
    }
    expect(clock.pending).toBe(0);
  });

  test.each([
    ['invalid_media', 'audio-unsupported'],
    ['insufficient_balance', 'out-of-credit'],
    ['internal_processing', 'unavailable'],
  ])('rejects with the failure of the job: %s', async (failure, code) => {
    const { client } = await startJob({
      json: jobOf('failed', { failure, failure_detail: 'No\u001b[31m audio' }),
    });
    const error = await client.transcription.waitFor('a1').catch(thrown => thrown);
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({
      code,
      failure,
      failureDetail: 'No\u001b[31m audio',
      job: { id: 'a1', status: 'failed' },
    });
    expect(error.message).toBe(`Job 'a1' failed: ${failure}: No [31m audio.`);
  });

  test('rejects when its time is over', async () => {
    const { client, clock } = await startJob(RUNNING);
    const waited = client.transcription.waitFor('a1', { timeoutMs: 5000 });
    await expect(advanceUntil(clock, 500, waited)).rejects.toMatchObject({ code: 'timeout' });
    expect(clock.pending).toBe(0);
  });

  test('rejects when it is aborted between two polls', async () => {
    const { client, clock, looks } = await startJob(RUNNING);
    const abort = new AbortController();
    const waited = client.transcription.waitFor('a1', { signal: abort.signal });
    await eventually(() => expect(looks.length).toBe(1));
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  test('survives a restart of the service', async () => {
    const { client, clock, service, looks } = await startJob(RUNNING);
    const waited = client.transcription.waitFor('a1', { maxOutageMs: 1e6 });
    await eventually(() => expect(looks.length).toBe(1));
    await service.close();
    for (let second = 0; second < 10; second++) await clock.advanceAsync(1000);
    await startHttpService(() => DONE, { port: Number(new URL(service.url).port) });
    expect(await advanceUntil(clock, 500, waited)).toMatchObject({ status: 'transcribed' });
  });

  test('polls a busy service no sooner than its Retry-After', async () => {
    const { client, clock, gaps } = await startJob(
      { status: 503, headers: { 'retry-after': '30' }, json: { title: 'later' } },
      { status: 429, headers: { 'retry-after': '20' }, json: { title: 'slowly' } },
      { status: 502, text: '' },
      DONE,
    );
    await advanceUntil(clock, 50, client.transcription.waitFor('a1', { maxOutageMs: 1e6 }));
    expect(gaps()[0]).toBeGreaterThanOrEqual(30_000);
    expect(gaps()[1]).toBeGreaterThanOrEqual(20_000);
    expect(gaps()[2]).toBeLessThan(20_000);
  });

  test('rejects when an outage is longer than the limit', async () => {
    const { client, clock } = await startJob({ status: 500, json: { title: 'no' } });
    const waited = client.transcription.waitFor('a1', { maxOutageMs: 30_000 });
    await expect(advanceUntil(clock, 50, waited)).rejects.toMatchObject({ httpStatus: 500 });
    expect(clock.now()).toBeLessThan(60_000);
  });

  test.each([
    [401, 'UnauthorizedError'],
    [404, 'NotFoundError'],
  ])('rejects at once with an error that is not temporary: %i', async (status, name) => {
    const { client, looks } = await startJob({ status, json: { title: 'no' } });
    await expect(client.transcription.waitFor('a1')).rejects.toMatchObject({ name });
    expect(looks).toHaveLength(1);
  });
});

describe('waiting for a notification', () => {
  const notify = (url: string, job: object) =>
    fetch(url, { method: 'POST', body: JSON.stringify({ job }) }).then(({ status }) => status);

  test('ends as soon as the notification arrives', async () => {
    await using receiver = await createNotificationReceiver();
    const { client, looks, story } = await startJob(RUNNING);
    const waited = client.transcription.waitFor('a1', { receiver });
    await eventually(() => expect(looks.length).toBe(1));
    story.answers = [DONE];
    // The clock stands still.
    expect(await notify(receiver.url, jobOf('transcribed'))).toBe(200);
    expect(await waited).toMatchObject({ status: 'transcribed' });
    expect(looks).toHaveLength(2);
  });

  test('checks the job, as a notification may be forged', async () => {
    await using receiver = await createNotificationReceiver();
    const { client, clock, looks, story } = await startJob(RUNNING);
    const waited = client.transcription.waitFor('a1', { receiver });
    await eventually(() => expect(looks).toHaveLength(1));
    await notify(receiver.url, jobOf('failed'));
    await eventually(() => expect(looks.length).toBeGreaterThan(1));
    story.answers = [DONE];
    expect(await advanceUntil(clock, 100, waited)).toMatchObject({ status: 'transcribed' });
  });

  test('polls the job now and then, as notifications may be lost', async () => {
    await using receiver = await createNotificationReceiver();
    const { client, clock, gaps } = await startJob(RUNNING, RUNNING, DONE);
    await advanceUntil(clock, 500, client.transcription.waitFor('a1', { receiver }));
    expect(gaps()[0]).toBeGreaterThanOrEqual(60_000);
    expect(gaps()[1]).toBeGreaterThanOrEqual(60_000);
  });

  test.each([
    ['a job that is deleted at its end', RUNNING],
    ['a job that is gone already', GONE],
  ])('resolves with the notification of %s', async (_, answer) => {
    await using receiver = await createNotificationReceiver();
    const { client, looks, story } = await startJob(answer);
    const waited = client.transcription.waitFor('a1', { receiver });
    await eventually(() => expect(looks.length).toBe(1));
    story.answers = [GONE];
    await notify(receiver.url, jobOf('transcribed', { duration_seconds: 5 }));
    expect(await waited).toMatchObject({ status: 'transcribed', durationSeconds: 5 });
  });

  test('rejects when the job does not exist and no notification arrives', async () => {
    await using receiver = await createNotificationReceiver();
    const { client, clock } = await startJob(GONE);
    const waited = client.transcription.waitFor('a1', { receiver });
    await expect(advanceUntil(clock, 500, waited)).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(clock.now()).toBeLessThan(60_000);
  });

  test('continues by polling when the receiver is closed', async () => {
    const receiver = await createNotificationReceiver();
    const { client, clock, gaps, looks } = await startJob(RUNNING, RUNNING, RUNNING, DONE);
    const waited = client.transcription.waitFor('a1', { receiver });
    await eventually(() => expect(looks.length).toBe(1));
    await receiver.close();
    await advanceUntil(clock, 100, waited);
    for (const gap of gaps()) expect(gap).toBeLessThan(20_000);
  });
});
