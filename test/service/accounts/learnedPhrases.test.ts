import { expect, test } from 'vitest';
import {
  changeLearnedPhrase,
  favouredPhrases,
  learnPhrases,
  listLearnedPhrases,
} from '../../../src/service/accounts/learnedPhrases.ts';
import { settleCredit } from '../../../src/service/jobs/credit.ts';
import type { StorePlace } from '../../helpers/jobStore.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

const NOW = new Date('2026-11-28T10:00:00Z');
const phrases = (counts: Readonly<Record<string, number>>) => new Map(Object.entries(counts));

/** Opens a store with an account that learns from corrections. */
async function openLearning(place: StorePlace) {
  const service = openJobStore(place, { tasks: {} });
  await service.accounts.prepared;
  const { db } = await service.store.opened;
  const { administration } = service.accounts;
  const { id } = (await administration.create('ann@example.org', 0))!;
  await administration.change(id, { learnFromCorrections: true });
  const learn = (counts: Readonly<Record<string, number>>, now = NOW) =>
    // As at the end of a job, which books its use.
    db.transaction().execute(async trx => {
      await learnPhrases(trx, id, async () => phrases(counts), now);
      await settleCredit(trx, id, { held: 0, used: 1 });
    });
  return { db, id, learn, administration, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

describeOnStores('learned phrases', ({ locate }) => {
  test('are favoured by how often they were changed, then by the latest change', async context => {
    await using store = await openLearning(await locate(context));
    const { db, id, learn } = store;
    await learn({ Okonkwo: 2, Eindhoven: 1 });
    await learn({ Eindhoven: 3, 'New Relic': 2 }, new Date(NOW.getTime() + 1000));
    expect(await favouredPhrases(db, id)).toEqual(['Eindhoven', 'New Relic', 'Okonkwo']);
    expect(await favouredPhrases(db, 'owner')).toEqual([]);
    expect(await listLearnedPhrases(db, id)).toContainEqual({
      ...{ account_id: id, customer: 'ann@example.org', phrase: 'Okonkwo', count: 2 },
      ...{ changed_on: NOW.toISOString(), removed: false },
    });
  });

  test('of jobs that end at the same time are all counted', async context => {
    await using store = await openLearning(await locate(context));
    const { db, id, learn } = store;
    const one = { Okonkwo: 1, Eindhoven: 1, Dashwood: 1 };
    const other = { Dashwood: 1, Eindhoven: 1, Okonkwo: 1 };
    await Promise.all([one, other, one, other].map(counts => learn(counts)));
    const counts = (await listLearnedPhrases(db, id)).map(({ phrase, count }) => [phrase, count]);
    expect(Object.fromEntries(counts)).toEqual({ Okonkwo: 4, Eindhoven: 4, Dashwood: 4 });
  });

  test('that are removed stay removed when they are changed again, until they are restored', async context => {
    await using store = await openLearning(await locate(context));
    const { db, id, learn } = store;
    await learn({ Okonkwo: 2, Eindhoven: 1 });
    await changeLearnedPhrase(db, id, { phrase: 'Okonkwo', removed: true });
    await learn({ Okonkwo: 5 });
    expect(await favouredPhrases(db, id)).toEqual(['Eindhoven']);
    const [first] = await listLearnedPhrases(db, id);
    expect(first).toMatchObject({ phrase: 'Okonkwo', count: 7, removed: true });
    await changeLearnedPhrase(db, id, { phrase: 'Okonkwo', removed: false });
    expect(await favouredPhrases(db, id)).toEqual(['Okonkwo', 'Eindhoven']);
    const unknown = changeLearnedPhrase(db, 'owner', { phrase: 'Okonkwo', removed: true });
    await expect(unknown).rejects.toMatchObject({ fields: { detail: 'The account has no such phrase.' } });
  });

  test('are 100 for a job and 1000 in all, without those that were changed least', async context => {
    await using store = await openLearning(await locate(context));
    const { db, id, learn } = store;
    await learn(Object.fromEntries(Array.from({ length: 1010 }, (_, index) => [`Name${index}`, index + 1])));
    const favoured = await favouredPhrases(db, id);
    expect(favoured).toHaveLength(100);
    expect(favoured[0]).toBe('Name1009');
    const { count } = await db
      .selectFrom('learnedPhrases')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(1000);
  });

  test('are none without consent, and are forgotten when it ends', async context => {
    await using store = await openLearning(await locate(context));
    const { db, id, learn, administration } = store;
    await db
      .transaction()
      .execute(trx => learnPhrases(trx, 'owner', async () => phrases({ Okonkwo: 1 }), NOW));
    expect(await listLearnedPhrases(db)).toEqual([]);
    await learn({ Okonkwo: 1 });
    expect(await favouredPhrases(db, id)).toEqual(['Okonkwo']);
    await administration.change(id, { email: 'bea@example.org' });
    expect(await listLearnedPhrases(db)).toHaveLength(1);
    await administration.change(id, { learnFromCorrections: false });
    expect(await listLearnedPhrases(db)).toEqual([]);
  });
});
