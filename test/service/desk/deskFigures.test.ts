import { expect, test } from 'vitest';
import { openTelemetry } from '../../../src/cli/local/telemetry.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createDesk } from '../../../src/service/desk/desk.ts';
import { observeDesk, readDeskFigures, readFinished } from '../../../src/service/desk/deskFigures.ts';
import { addEvent } from '../../../src/service/desk/deskTrail.ts';
import type { DeskUser } from '../../../src/service/desk/deskUsers.ts';
import type { Task } from '../../../src/service/jobs/task.ts';
import { createInstruments } from '../../../src/service/telemetry/createInstruments.ts';
import { FAST_PASSWORDS } from '../../helpers/fastPasswords.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { capturedLog } from '../../helpers/observedService.ts';
import { submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

const HOUR_MS = 3_600_000;
const task: Task = async () => ({ results: {}, waits: true });
/** Early afternoon at the service, so that what happened an hour ago was today. */
const NOON = new Date(2026, 2, 10, 14).getTime();

describeOnStores('the figures of the desk', ({ locate }) => {
  test('have the jobs that wait for a person, claimed or not, and those overdue', async context => {
    const clock = new VirtualClock();
    await using telemetry = await openTelemetry({}, capturedLog().logger);
    const instruments = createInstruments(telemetry.meterProvider);
    await using service = openJobStore(await locate(context), { tasks: { human_tc: task }, clock });
    const { opened } = service.store;
    await service.accounts.prepared;
    const stop = observeDesk({ opened, clock, instruments });
    expect(await telemetry.metricsText()).toContain('rxscribe_human_jobs_waiting_age_seconds 0\n');
    const { human } = service.jobs;
    const submit = async (id: string, isUrgent: boolean) => {
      await service.jobs.submit(submission(id, { type: 'human_tc', isUrgent }));
      await untilJob(service.jobs, id, job => expect(job?.stage).toBe('waiting'));
    };
    await submit('ordinary', false);
    await submit('rush', true);
    await human.claim('ordinary', 'ann', 60);
    clock.advance(12 * HOUR_MS);
    await submit('fresh', true);
    await human.claim('fresh', 'ann', 60);
    expect(await readDeskFigures({ opened, clock })).toEqual({
      ...{ waiting: 3, claimed: 1, overdue: 1, oldest_seconds: 12 * 3600 },
      ...{ people: [], customers: [] },
    });
    clock.advance(12 * HOUR_MS);
    expect(await readDeskFigures({ opened, clock })).toMatchObject({ claimed: 0, overdue: 3 });
    const text = await telemetry.metricsText();
    expect(text).toContain('rxscribe_human_jobs_waiting{state="unclaimed"} 3\n');
    expect(text).toContain('rxscribe_human_jobs_waiting{state="claimed"} 0\n');
    expect(text).toContain('rxscribe_human_jobs_waiting_age_seconds 86400\n');
    expect(text).toContain('rxscribe_human_jobs_overdue 3\n');
    stop();
    expect(await telemetry.metricsText()).not.toContain('rxscribe_human_jobs');
  });

  test('have the time of a claim that lapsed, when the job is claimed anew', async context => {
    const clock = new VirtualClock(NOON);
    await using service = openJobStore(await locate(context), { tasks: { human_tc: task }, clock });
    const { opened } = service.store;
    const desk = createDesk({
      ...{ opened, clock, jobs: service.jobs, passwordCost: FAST_PASSWORDS },
      onError: error => Promise.reject(error),
    });
    await service.jobs.submit(submission('job', { type: 'human_tc' }));
    await untilJob(service.jobs, 'job', job => expect(job?.stage).toBe('waiting'));
    const [ann, bob] = (['ann', 'bob'] as const).map(name => ({ name, role: 'transcriber' as const }));
    const claim = async (user: DeskUser) => {
      const { job, isNew } = await desk.queue.claim(user, 'job');
      if (isNew) await desk.trail.add(user.name, 'claim', 'job');
      return job;
    };
    expect((await claim(ann!)).lapsed_claim_of).toBeUndefined();
    clock.advance(60_000);
    await claim(ann!);
    clock.advance(HOUR_MS);
    expect(await desk.queue.list()).toMatchObject([{ id: 'job', lapsed_claim_of: 'ann' }]);
    expect((await claim(bob!)).lapsed_claim_of).toBeUndefined();
    clock.advance(30_000);
    await desk.queue.release(bob!, 'job');
    await desk.trail.add('bob', 'release', 'job');
    const [listed] = await desk.queue.list();
    expect(listed).not.toHaveProperty('claimed_by', expect.anything());
    expect(listed?.lapsed_claim_of).toBeUndefined();
    const { people } = await readDeskFigures({ opened, clock });
    expect(people.map(({ name, work_seconds }) => [name, work_seconds])).toEqual([
      ['ann', 180],
      ['bob', 30],
    ]);
  });

  test('have what each person finished, and what was changed for each customer; metrics have totals only', async context => {
    const clock = new VirtualClock(NOON);
    await using telemetry = await openTelemetry({}, capturedLog().logger);
    const instruments = createInstruments(telemetry.meterProvider);
    await using service = openJobStore(await locate(context), { clock, token: 'a-token-of-the-owner' });
    const { opened } = service.store;
    await service.accounts.prepared;
    const { db } = await opened;
    const accountId = (await db.selectFrom('accounts').select(['id', 'email']).executeTakeFirst())!;
    const ago = (hours: number) => new Date(NOON - hours * HOUR_MS);
    type Action = Parameters<typeof addEvent>[1]['action'];
    const add = (userName: string, action: Action, jobId: string, hours: number, work: object = {}) =>
      addEvent(db, { happenedOn: ago(hours), userName, action, jobId, ...work });
    const work = (seconds: number, words: number, changedWords: number, account = accountId.id) => ({
      ...{ seconds, words, changedWords, accountId: account },
    });
    // Today: an hour of work. Two days ago: two hours, with a claim that lapsed, and one that ended nowhere.
    await add('ann', 'claim', 'Job1', 2);
    await add('ann', 'finish', 'Job1', 1, work(600, 100, 5));
    await add('ann', 'claim', 'Job2', 55);
    await add('ann', 'lapse', 'Job2', 54);
    await add('ann', 'claim', 'Job2', 49);
    await add('ann', 'finish', 'Job2', 48, work(1200, 300, 15));
    await add('ann', 'claim', 'Job3', 30);
    await add('bob', 'claim', 'Job3', 20);
    await add('bob', 'release', 'Job3', 19);
    await add('chief', 'take back', 'Job3', 18);
    await add('house', 'import', 'Job4', 10, work(60, 100, 60, 'gone'));
    await add('ann', 'finish', 'Job5', 24 * 7 + 1, work(9000, 1000, 1000));
    await add('ann', 'finish', 'Job6', 24 * 31, work(9000, 1000, 1000));
    expect(await readDeskFigures({ opened, clock })).toEqual({
      ...{ waiting: 0, claimed: 0, overdue: 0, oldest_seconds: 0 },
      people: [
        { name: 'ann', today_seconds: 600, week_seconds: 1800, work_seconds: 3 * 3600 },
        { name: 'bob', today_seconds: 0, week_seconds: 0, work_seconds: 3600 },
      ],
      customers: [
        { customer: accountId.email, words: 400, changed_words: 20 },
        { words: 100, changed_words: 60 },
      ],
    });
    expect(await readFinished({ opened, clock }, { name: 'ann', role: 'transcriber' })).toEqual([
      { id: 'Job1', customer: accountId.email, seconds: 600, finished_on: ago(1).toISOString() },
      { id: 'Job2', customer: accountId.email, seconds: 1200, finished_on: ago(48).toISOString() },
      { id: 'Job5', customer: accountId.email, seconds: 9000, finished_on: ago(169).toISOString() },
    ]);
    const stop = observeDesk({ opened, clock, instruments });
    const text = await telemetry.metricsText();
    stop();
    expect(text).toContain('rxscribe_desk_audio_seconds{period="today"} 600\n');
    expect(text).toContain('rxscribe_desk_audio_seconds{period="week"} 1800\n');
    expect(text).toContain('rxscribe_desk_changed_words_ratio 0.16\n');
    expect(text).not.toMatch(/ann|bob|localhost/);
  });
});
