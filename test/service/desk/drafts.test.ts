import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import type { DeskChange, DeskTurn } from '../../../src/protocol/desk.ts';
import { OWNER_ID } from '../../../src/service/accounts/firstAccount.ts';
import { beginDraft, readDraft, saveDraft } from '../../../src/service/desk/drafts.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

const turnsNamed = (name: string, count: number): DeskTurn[] =>
  Array.from({ length: count }, (_, index) => ({
    speaker: index % 3,
    text: `${name} ${index}`,
    words: [[0, name.length, index, index + 0.5, 0.25]],
  }));

const humanJob = () => ({ id: createId(), accountId: OWNER_ID, type: 'human_tc', reserveSeconds: 0 });

const now = new Date('2026-01-01T00:00:00Z');
const saved = { savedBy: 'ann', savedOn: now };
/** The author in a saved draft. */
const BY_ANN = { saved_by: 'ann', saved_on: now.toISOString() };

describeOnStores('a draft', ({ locate }) => {
  test('has every change, in whichever blocks it falls', async context => {
    await using opened = openJobStore(await locate(context));
    const { db } = await opened.accounts.prepared;
    const machine = turnsNamed('machine', 300);
    const change = fc.record({
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(200), fc.constant(1000)),
      added: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(300)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async changes => {
        const { id } = await opened.jobs.submit(humanJob());
        let turns: readonly DeskTurn[] = machine;
        expect(await readDraft(db, id)).toBeUndefined();
        expect(await beginDraft(db, id, machine, now)).toEqual({ revision: 0, turns: machine });
        expect(await beginDraft(db, id, [], now)).toEqual({ revision: 0, turns: machine });
        for (const [revision, { from: share, length, added }] of changes.entries()) {
          const from = Math.round(share * turns.length);
          const to = Math.min(turns.length, from + length);
          const next: DeskChange = { revision, from, to, turns: turnsNamed(`change ${revision}`, added) };
          const save = () => db.transaction().execute(trx => saveDraft(trx, id, next, saved));
          expect(await save()).toBe(revision + 1);
          turns = [...turns.slice(0, from), ...next.turns, ...turns.slice(to)];
          expect(await readDraft(db, id)).toEqual({ revision: revision + 1, turns, ...BY_ANN });
        }
      }),
      { numRuns: 8 },
    );
  });

  test('refuses a change of another revision, or of turns that it does not have', async context => {
    await using opened = openJobStore(await locate(context));
    const { db } = await opened.accounts.prepared;
    const { id } = await opened.jobs.submit(humanJob());
    const machine = turnsNamed('machine', 3);
    await beginDraft(db, id, machine, now);
    const save = (change: Omit<DeskChange, 'turns'>) =>
      db.transaction().execute(trx => saveDraft(trx, id, { ...change, turns: [] }, saved));
    const refused = { problem: 'invalidParameters' };
    await expect(save({ revision: 0, from: 0, to: 4 })).rejects.toMatchObject(refused);
    expect(await save({ revision: 1, from: 0, to: 0 })).toBeUndefined();
    expect(await save({ revision: 0, from: 0, to: 1 })).toBe(1);
    expect(await save({ revision: 0, from: 0, to: 1 })).toBeUndefined();
    await expect(save({ revision: 1, from: 2, to: 3 })).rejects.toMatchObject(refused);
    await expect(save({ revision: 1, from: 2, to: 1 })).rejects.toMatchObject(refused);
    expect(await readDraft(db, id)).toEqual({ revision: 1, turns: machine.slice(1), ...BY_ANN });
    const both = await Promise.allSettled([
      db
        .transaction()
        .execute(async trx => saveDraft(trx, id, { revision: 1, from: 0, to: 1, turns: [] }, saved)),
      db
        .transaction()
        .execute(async trx => saveDraft(trx, id, { revision: 1, from: 1, to: 2, turns: [] }, saved)),
    ]);
    const revisions = both.map(result => (result.status === 'fulfilled' ? result.value : 'failed'));
    expect(revisions.filter(revision => revision === 2)).toHaveLength(1);
    expect(revisions).toContain(undefined);
  });

  test('keeps the names of its speakers until they change', async context => {
    await using opened = openJobStore(await locate(context));
    const { db } = await opened.accounts.prepared;
    const { id } = await opened.jobs.submit(humanJob());
    await beginDraft(db, id, turnsNamed('machine', 3), now);
    const save = (revision: number, names?: string[]) => {
      const change = { revision, from: 0, to: 0, turns: [], ...(names && { speaker_names: names }) };
      return db.transaction().execute(trx => saveDraft(trx, id, change, saved));
    };
    await save(0, ['', 'Ben']);
    await save(1);
    expect(await readDraft(db, id)).toMatchObject({ revision: 2, speaker_names: ['', 'Ben'] });
    await save(2, []);
    expect(await readDraft(db, id)).toMatchObject({ speaker_names: [] });
  });

  test('is deleted with its job', async context => {
    await using opened = openJobStore(await locate(context));
    const { db } = await opened.accounts.prepared;
    const { id } = await opened.jobs.submit(humanJob());
    const change = { revision: 0, from: 0, to: 0, turns: turnsNamed('mine', 2) };
    await beginDraft(db, id, turnsNamed('machine', 3), now);
    await db.transaction().execute(trx => saveDraft(trx, id, change, saved));
    await opened.jobs.remove(id);
    const left = await db.selectFrom('deskBlocks').select('id').where('jobId', '=', id).execute();
    expect(left).toEqual([]);
  });
});
