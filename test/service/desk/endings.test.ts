import { expect, test } from 'vitest';
import type { Aligner } from '../../../src/engines/aligner.ts';
import type { createService } from '../../../src/service/app.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  deskAdministration,
  deskRequest,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { type Answer, request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

type Url = Pick<Awaited<ReturnType<typeof createService>>, 'url'>;

const WORK = 'Speaker 0: W4 many new words. W9!\n';

function importWork(service: Url, id: string, body = WORK, worker = 'House'): Promise<Answer> {
  return deskRequest(service, `/admin/v1/desk/jobs/${id}/import?worker=${worker}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DESK_ADMIN_TOKEN}`, 'content-type': 'text/plain' },
    body,
  });
}

const finishJob = (service: Url, id: string): Promise<Answer> =>
  deskRequest(service, `/admin/v1/human-jobs/${id}/finish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DESK_ADMIN_TOKEN}`, 'content-type': 'text/plain' },
    body: WORK,
  });

/** An aligner that answers when it is released. */
function heldAligner() {
  const scripted = createScriptedAligner();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let calls = 0;
  const aligner: Aligner = {
    ...scripted,
    async align(...values) {
      calls++;
      await released;
      return scripted.align(...values);
    },
  };
  return { aligner, release, calls: () => calls };
}

const textOf = async (service: Url, id: string) =>
  (await request(service, `/speechtotext/v1/jobs/${id}/transcript`, { headers: { accept: 'text/plain' } }))
    .text;

test('a request that ends a job is answered while the words get their times, and its repetition joins the work', {
  tags: 'slow',
}, async () => {
  const held = heldAligner();
  const service = await startTestService({
    dataDirectory: await dataDirectory(),
    adminToken: DESK_ADMIN_TOKEN,
    aligner: held.aligner,
  });
  const [imported, finished, worked] = [
    await waitingHumanJob(service),
    await waitingHumanJob(service),
    await waitingHumanJob(service, { delete_after_seconds: 0 }),
  ];
  const ann = await addPerson(service, 'ann');
  await ann.call('POST', `/jobs/${worked}/claim`);
  await ann.call('GET', `/jobs/${worked}/draft`);
  const turns = [{ speaker: 0, text: 'Many new words.', words: [] }];
  await ann.call('PATCH', `/jobs/${worked}/draft`, { revision: 0, from: 0, to: 1, turns });
  const calls = [
    () => importWork(service, imported),
    () => finishJob(service, finished),
    () => ann.call('POST', `/jobs/${worked}/finish`, { revision: 1 }),
  ];
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(calls.map(call => call()));
    for (const answer of answers) expect([answer.status, answer.json()]).toEqual([202, { progress: 0 }]);
  }
  expect(held.calls()).toBe(3);
  // Nobody asks any more.
  held.release();
  await eventually(async () => {
    for (const id of [imported, finished])
      expect(await textOf(service, id)).toContain('W4 many new words. W9!');
  });
  for (const call of calls) expect((await call()).status).toBe(204);
  expect((await importWork(service, imported, 'Another text.')).status).toBe(409);
  expect((await importWork(service, imported, WORK, 'Other')).status).toBe(409);
  const events = (await deskAdministration(service, 'GET', '/desk/events')).json();
  const ends = events.filter(({ action }: { action: string }) => /import|finish/.test(action));
  expect(ends.map(({ user }: { user: string }) => user).sort()).toEqual(['House', 'ann']);
});

test('an import that a restart of the service cuts off goes on when it is repeated, and ends once', {
  tags: 'slow',
}, async () => {
  const place = { dataDirectory: await dataDirectory(), adminToken: DESK_ADMIN_TOKEN };
  const held = heldAligner();
  const first = await startTestService({ ...place, aligner: held.aligner });
  const id = await waitingHumanJob(first);
  // A claim that would lapse soon lasts until the words can have times.
  const claim = { worker: 'House', seconds: 60 };
  const claimed = (await deskAdministration(first, 'POST', `/human-jobs/${id}/claim`, claim)).json();
  expect((await importWork(first, id)).status).toBe(202);
  const [extended] = (await deskAdministration(first, 'GET', '/human-jobs')).json();
  expect(Date.parse(extended.claimed_until)).toBeGreaterThan(Date.parse(claimed.claimed_until));
  await first.close();
  held.release();
  const second = await startTestService({ ...place, aligner: createScriptedAligner(), token: TEST_TOKEN });
  const [one, other] = await Promise.all([importWork(second, id), importWork(second, id)]);
  expect([one.status, other.status]).toEqual([204, 204]);
  await second.close();
  const third = await startTestService({ ...place, token: TEST_TOKEN });
  expect((await importWork(third, id)).status).toBe(204);
  expect(await textOf(third, id)).toContain('W4 many new words. W9!');
});

test('work that is refused can be repeated', async () => {
  const service = await startTestService({
    dataDirectory: await dataDirectory(),
    adminToken: DESK_ADMIN_TOKEN,
  });
  const id = await waitingHumanJob(service);
  for (let round = 0; round < 2; round++) expect((await importWork(service, id, ' ')).status).toBe(400);
  const bob = await addPerson(service, 'bob');
  await bob.call('POST', `/jobs/${id}/claim`);
  expect((await importWork(service, id)).status).toBe(409);
  await bob.call('POST', `/jobs/${id}/release`);
  expect((await importWork(service, id)).status).toBe(204);
});
