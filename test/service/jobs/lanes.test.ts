import { describe, expect, test } from 'vitest';
import type { RecognizerCapabilities } from '../../../src/engines/recognizer.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { heldTask, OWNER, submission } from '../../helpers/scriptedTasks.ts';
import { request } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';

/** A recogniser that finishes no recording before it is released, and counts those that have started. */
function heldRecognizer(capabilities: Partial<RecognizerCapabilities> = {}) {
  const held = Promise.withResolvers<void>();
  const recognizer = createScriptedRecognizer();
  const counting = {
    ...recognizer,
    capabilities: { ...recognizer.capabilities, ...capabilities },
    begun: 0,
    release: held.resolve,
    async recognize(...recording: Parameters<typeof recognizer.recognize>) {
      counting.begun++;
      await held.promise;
      return recognizer.recognize(...recording);
    },
  };
  return counting;
}

describe('while transcriptions fill the service', () => {
  const recognizer = heldRecognizer();
  const service = keptService({ ...scriptedEngines(), recognizer, jobsAtOnce: 2 });

  test('texts, vocabularies and identification do not wait for them', async () => {
    const recordings = [];
    for (let count = 0; count < 12; count++) recordings.push((await postMedia(service(), JOBS)).json().id);
    await eventually(() => expect(recognizer.begun).toBe(2));
    const short: string[] = [];
    const take = async (path: string, answer: ReturnType<typeof postJson>) => {
      short.push(`${path}/${(await answer).json().id}`);
    };
    const [texts, identified, vocabularies] = [
      '/sentiment_analysis/v1/jobs',
      '/languageid/v1/jobs',
      '/speechtotext/v1/vocabularies',
    ];
    for (let count = 0; count < 3; count++) {
      await take(texts, postJson(service(), texts, { text: 'All is good.' }));
      await take(identified, postMedia(service(), identified, speechFile([11, 11, 12])));
      const custom_vocabularies = [{ phrases: [`Ada Lovelace ${'x'.repeat(count + 1)}`] }];
      await take(vocabularies, postJson(service(), vocabularies, { custom_vocabularies }));
    }
    for (const path of short) {
      expect(await endOf(service(), path)).toMatchObject({ status: expect.stringMatching(/^completed?$/) });
    }
    // None of them was ended, or started, because of it.
    const states = [];
    for (const id of recordings) states.push((await request(service(), `${JOBS}/${id}`)).json().status);
    expect(new Set(states)).toEqual(new Set(['in_progress']));
    expect(recognizer.begun).toBe(2);
    recognizer.release();
    for (const id of recordings) {
      expect((await endOf(service(), `${JOBS}/${id}`)).status).toBe('transcribed');
    }
  });
});

describe('a recogniser that takes three recordings at once', () => {
  const recognizer = heldRecognizer({ recordingsAtOnce: 3 });
  const service = keptService({ ...scriptedEngines(), recognizer });

  test('gets three by default', async () => {
    const recordings = [];
    for (let count = 0; count < 5; count++) recordings.push((await postMedia(service(), JOBS)).json().id);
    await eventually(() => expect(recognizer.begun).toBe(3));
    const states = [];
    for (const id of recordings) states.push((await request(service(), `${JOBS}/${id}`)).json().status);
    expect(states).toEqual(Array(5).fill('in_progress'));
    expect(recognizer.begun).toBe(3);
    recognizer.release();
    for (const id of recordings) {
      expect((await endOf(service(), `${JOBS}/${id}`)).status).toBe('transcribed');
    }
  });
});

test('the turns of an account are separate for each lane', async () => {
  const long = heldTask();
  const short = heldTask();
  await using service = openJobStore(
    { dataDirectory: await dataDirectory() },
    {
      tasks: { async: long.task, text: short.task },
      lanes: [
        { name: 'jobs', types: ['async'], concurrency: 1 },
        { name: 'texts', types: ['text'], concurrency: 1 },
      ],
    },
  );
  await service.accounts.initialToken;
  const { db } = await service.store.opened;
  const other = { id: 'b', email: 'b@x', balanceSeconds: 0, createdOn: new Date() };
  await db.insertInto('accounts').values(other).execute();
  for (let count = 0; count < 5; count++) await service.jobs.submit(submission(`long${count}`));
  const text = (id: string, accountId = 'owner') => submission(id, { type: 'text', accountId });
  await service.jobs.submit(text('first', 'b'));
  await eventually(() => expect(short.begun.length).toBe(1));
  for (const id of ['b0', 'b1', 'b2']) await service.jobs.submit(text(id, 'b'));
  await service.jobs.submit(text('owner0'));
  for (let ended = 0; ended < 5; ended++) {
    await eventually(() => expect(short.begun.length).toBeGreaterThan(ended));
    short.begun[ended]!.end();
  }
  const order = short.begun.map(({ id }) => id);
  expect(order.indexOf('owner0')).toBeLessThan(3);
  expect(long.begun.map(({ id }) => id)).toEqual(['long0']);
});

/** Runs all waiting jobs one after the other; returns their ids in the order of their starts. */
async function drain(held: ReturnType<typeof heldTask>, count: number): Promise<string[]> {
  for (let ended = 0; ended < count; ended++) {
    await eventually(() => expect(held.begun.length).toBeGreaterThan(ended));
    held.begun[ended]!.end();
  }
  return held.begun.map(({ id }) => id);
}

async function withAccounts(service: ReturnType<typeof openJobStore>, ids: readonly string[]): Promise<void> {
  await service.accounts.initialToken;
  const { db } = await service.store.opened;
  const createdOn = new Date();
  const accounts = ids.map(id => ({ id, email: `${id}@x`, balanceSeconds: 0, createdOn }));
  await db.insertInto('accounts').values(accounts).execute();
}

test('accounts take turns, each in the order of its submissions, and after a restart too', async () => {
  const place = { dataDirectory: await dataDirectory() };
  {
    const held = heldTask();
    await using service = openJobStore(place, { tasks: { async: held.task } });
    await withAccounts(service, ['b', 'c']);
    for (let index = 0; index < 10; index++) await service.jobs.submit(submission(`a${index}`));
    expect(await drain(held, 3)).toEqual(['a0', 'a1', 'a2']);
    await eventually(() => expect(held.begun.length).toBe(4));
    for (const id of ['b0', 'b1', 'b2']) await service.jobs.submit(submission(id, { accountId: 'b' }));
  }
  const held = heldTask();
  await using service = openJobStore(place, { tasks: { async: held.task } });
  await eventually(() => expect(held.begun.length).toBe(1));
  await service.jobs.submit(submission('c0', { accountId: 'c' }));
  const order = await drain(held, 11);
  expect(order.filter(id => id.startsWith('a'))).toEqual(['a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9']);
  expect(order.slice(0, 7).sort()).toEqual(['a3', 'a4', 'a5', 'b0', 'b1', 'b2', 'c0']);
  expect(await service.jobs.list(OWNER, { types: ['async'], limit: 100 })).toHaveLength(10);
});
