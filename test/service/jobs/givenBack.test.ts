import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { RecognizerSessionOptions } from '../../../src/engines/recognizer.ts';
import type { DeliveryOutcome } from '../../../src/service/jobs/deliveries.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { JobStoreOptions, StorePlace } from '../../helpers/jobStore.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { endOf, postMedia } from '../../helpers/keptService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { heldTask, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';
import { connectedStream } from '../../helpers/streamClient.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

/** A process whose jobs last until the test ends them. */
function process(place: StorePlace, options: JobStoreOptions = {}) {
  const held = heldTask();
  return { ...openJobStore(place, { tasks: { async: held.task }, ...options }), begun: held.begun };
}

describe('jobs of a process that stops, beside another one', { tags: 'tools' }, () => {
  const { locate } = serverBackend();

  test('are in the queue again at once, and run in the other one', async context => {
    const place = await locate(context);
    await using first = process(place);
    await first.jobs.submit(submission('Job1'));
    await eventually(() => expect(first.begun.length).toBe(1));
    await first.jobs.giveBack();
    const { db } = await first.store.opened;
    const { rows } =
      await sql`select state, start_after <= now() as due from queue.job where name = 'jobs'`.execute(db);
    expect(rows).toEqual([{ state: 'retry', due: true }]);
    await using second = process(place);
    await eventually(() => expect(second.begun.length).toBe(1));
    second.begun[0]!.end();
    await untilJob(second.jobs, 'Job1', job => expect(job).toMatchObject({ status: 'done', attempts: 1 }));
  });

  test('run elsewhere while streams and requests go on', async context => {
    const place = { ...(await locate(context)), token: TEST_TOKEN };
    const { promise: isBusy, resolve: reportBusy } = Promise.withResolvers<void>();
    const recognizer = {
      ...createScriptedRecognizer(),
      recognize: (_: unknown, { signal }: RecognizerSessionOptions = {}) =>
        new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          reportBusy();
        }),
    };
    const first = await startTestService({ ...place, recognizer, drainSeconds: 600 });
    await first.ready;
    const client = await connectedStream(first);
    client.send(scriptedSpeech([4]));
    await client.message(({ type }) => type === 'partial');
    const { id } = (await postMedia(first, '/speechtotext/v1/jobs')).json();
    await isBusy;
    const stopped = first.close();
    const second = await startTestService(place);
    expect(await endOf(first, `/speechtotext/v1/jobs/${id}`)).toMatchObject({ status: 'transcribed' });
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    const later = (await postMedia(first, '/speechtotext/v1/jobs')).json();
    expect(await endOf(second, `/speechtotext/v1/jobs/${later.id}`)).toMatchObject({ status: 'transcribed' });
    client.send(scriptedSpeech([0, 0, 0]));
    await client.closed;
    await stopped;
  });
});

test('a notification that is being sent when its process stops is answered first, and not sent again', async () => {
  const place = { dataDirectory: await dataDirectory() };
  const { promise: answered, resolve: answer } = Promise.withResolvers<DeliveryOutcome>();
  let attempts = 0;
  const deliver = () => {
    attempts++;
    return answered;
  };
  const first = process(place, { deliver });
  await first.jobs.submit(submission('Job1', { notification: { url: 'http://x/' } }));
  await eventually(() => expect(first.begun.length).toBe(1));
  first.begun[0]!.end();
  await eventually(() => expect(attempts).toBe(1));
  const closed = first.close();
  answer({ outcome: 'delivered' });
  await closed;
  await using second = process(place, { deliver });
  const { db } = await second.store.opened;
  expect(await db.selectFrom('deliveries').selectAll().execute()).toEqual([]);
});
