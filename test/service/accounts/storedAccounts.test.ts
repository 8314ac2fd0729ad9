import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { forgetMeters, takeCredit } from '../../../src/service/accounts/accountRows.ts';
import { ensureFirstAccount } from '../../../src/service/accounts/firstAccount.ts';
import { CREDIT_REFRESH_MS, createStoredAccounts } from '../../../src/service/accounts/storedAccounts.ts';
import { TOKEN_FRESH_MS, TOKEN_MEMORY_MS } from '../../../src/service/accounts/tokenMemory.ts';
import { holdCredit, settleCredit } from '../../../src/service/jobs/credit.ts';
import { openStore, type StoreOptions } from '../../../src/service/store/store.ts';
import { eventually } from '../../helpers/eventually.ts';
import { describeOnStores, serverBackend } from '../../helpers/storeBackends.ts';
import { unexpected } from '../../helpers/unexpected.ts';

type Place = Pick<StoreOptions, 'dataDirectory' | 'databaseUrl'>;

/** Opens the accounts of a service, with a second one, `ada@example.org`, that has 100 s. */
async function openAccounts(place: Place, clock = new VirtualClock()) {
  const store = openStore({ ...place, clock, onError: unexpected });
  const accounts = createStoredAccounts({ opened: store.opened, clock, onError: unexpected });
  onTestFinished(async () => {
    await accounts.close();
    await store.close();
  });
  const { db } = await accounts.prepared;
  const { administration } = accounts;
  const { id } =
    (await administration.create('ada@example.org', 100)) ?? (await administration.find('ada@example.org'))!;
  return { clock, accounts, administration, db, id };
}

describeOnStores('accounts', ({ locate }) => {
  test('have several tokens, each valid until it is revoked', async context => {
    const { accounts, administration, id } = await openAccounts(await locate(context));
    const old = await administration.createToken(id, 'laptop');
    const young = await administration.createToken(id);
    for (const { token } of [old, young]) {
      expect(await accounts.authenticate(token)).toEqual({ accountId: id, limits: {} });
    }
    expect(await administration.revokeToken(id, old.id)).toBe(true);
    expect(await administration.revokeToken(id, old.id)).toBe(false);
    expect(await administration.revokeToken('owner', young.id)).toBe(false);
    expect(await accounts.authenticate(old.token)).toBeUndefined();
    expect(await accounts.authenticate(young.token)).toBeDefined();
    expect((await administration.listTokens(id)).map(token => token.id)).toEqual([young.id]);
  });

  test('store only the hash of a token', async context => {
    const { administration, db, id } = await openAccounts(await locate(context));
    const { token } = await administration.createToken(id, 'laptop');
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(await db.selectFrom('tokens').selectAll().execute())).not.toContain(token);
  });

  test('record the last use of a token to the minute', async context => {
    const { accounts, administration, clock, id } = await openAccounts(await locate(context));
    const { token, createdOn } = await administration.createToken(id);
    const lastUse = async () => (await administration.listTokens(id))[0]!.lastUsedOn;
    expect(await lastUse()).toBeNull();
    await accounts.authenticate(token);
    await eventually(async () => expect(await lastUse()).toEqual(createdOn));
    clock.advance(TOKEN_MEMORY_MS - 1);
    await accounts.authenticate(token);
    expect(await lastUse()).toEqual(createdOn);
    clock.advance(TOKEN_FRESH_MS);
    const later = new Date(createdOn.getTime() + TOKEN_MEMORY_MS - 1 + TOKEN_FRESH_MS);
    await eventually(async () => {
      await accounts.authenticate(token);
      expect(await lastUse()).toEqual(later);
    });
  });

  test('are found by id and by unique e-mail address, and listed by the latter', async context => {
    const { administration, id, clock } = await openAccounts(await locate(context));
    const expected = {
      id,
      email: 'ada@example.org',
      balanceSeconds: 100,
      reservedSeconds: 0,
      createdOn: new Date(clock.wallTime()),
      signingSecret: null,
      removedOn: null,
      maxStreams: null,
    };
    expect(await administration.find(id)).toMatchObject(expected);
    expect(await administration.find('ada@example.org')).toMatchObject(expected);
    expect(await administration.find('nobody@example.org')).toBeUndefined();
    expect(await administration.create('ada@example.org', 5)).toBeUndefined();
    await administration.create('bob@example.org', 0);
    const emails = async (afterEmail?: string) =>
      (await administration.list(2, afterEmail)).map(({ email }) => email);
    expect(await emails()).toEqual(['ada@example.org', 'bob@example.org']);
    expect(await emails('bob@example.org')).toEqual(['owner@localhost']);
  });

  test('keep their settings until changed', async context => {
    const { accounts, administration, db, id } = await openAccounts(await locate(context));
    const { token } = await administration.createToken(id);
    await accounts.authenticate(token);
    await administration.change(id, {
      deleteAfterSeconds: 60,
      signingSecret: 'secret',
      limits: { streams: 2, requestsPerSecond: 0.5 },
    });
    expect(await accounts.authenticate(token)).toEqual({
      accountId: id,
      limits: { streams: 2, requestsPerSecond: 0.5 },
    });
    await administration.change(id, { deleteAfterSeconds: undefined, limits: { streams: null } });
    await administration.change(id, {});
    expect(await administration.find(id)).toMatchObject({
      deleteAfterSeconds: 60,
      signingSecret: 'secret',
      maxStreams: null,
      requestsPerSecond: 0.5,
    });
    const row = () =>
      db
        .selectFrom('accounts')
        .select(['signingSecret', 'deleteAfterSeconds'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    expect(await row()).toEqual({ signingSecret: 'secret', deleteAfterSeconds: 60 });
    await administration.change(id, { signingSecret: null, deleteAfterSeconds: null });
    expect(await row()).toEqual({ signingSecret: null, deleteAfterSeconds: null });
  });

  test('count held credit as used from the next read on', async context => {
    const { accounts, administration, clock, db, id } = await openAccounts(await locate(context));
    const { token } = await administration.createToken(id);
    await holdCredit(db, id, 90);
    await accounts.authenticate(token);
    const meter = accounts.openMeter(id);
    meter.use(9);
    expect(meter.hasCredit).toBe(true);
    meter.use(1);
    expect(meter.hasCredit).toBe(false);

    await settleCredit(db, id, { held: 90, used: 20 });
    clock.advance(CREDIT_REFRESH_MS);
    await eventually(() => expect(meter.hasCredit).toBe(true));
    meter.use(70);
    expect(meter.hasCredit).toBe(false);

    await administration.addCredit(id, 30);
    expect(meter.hasCredit).toBe(true);
    meter.settle();
    await accounts.close();
    expect(await administration.find(id)).toMatchObject({ balanceSeconds: 30, reservedSeconds: 0 });
  });
});

describeOnStores('bookings of a meter', ({ locate }) => {
  test('charge each second once, however often and late they arrive', async context => {
    const { db, id } = await openAccounts(await locate(context));
    const book = (meterId: string, totalSeconds: number) => takeCredit(db, id, { meterId, totalSeconds });
    expect(await book('a', 10)).toBe(90);
    expect(await book('a', 10)).toBe(90);
    expect(await book('a', 12.5)).toBe(87.5);
    expect(await book('a', 10)).toBe(87.5);
    expect(await book('a', 13)).toBe(87);
    expect(await book('b', 1)).toBe(86);
    await holdCredit(db, id, 6);
    expect(await book('b', 1)).toBe(80);
    expect(await db.selectFrom('meters').select(['id', 'seconds']).orderBy('id').execute()).toEqual([
      { id: 'a', seconds: 13 },
      { id: 'b', seconds: 1 },
    ]);
  });

  test('of a deleted account do nothing', async context => {
    const { db, id } = await openAccounts(await locate(context));
    await takeCredit(db, id, { meterId: 'a', totalSeconds: 1 });
    await db.deleteFrom('accounts').where('id', '=', id).execute();
    expect(await takeCredit(db, id, { meterId: 'a', totalSeconds: 2 })).toBe(0);
    expect(await db.selectFrom('meters').select('id').execute()).toEqual([]);
  });

  test('are forgotten a week later', async context => {
    const { db, id } = await openAccounts(await locate(context));
    for (const meterId of ['old', 'young']) await takeCredit(db, id, { meterId, totalSeconds: 1 });
    const changedOn = (interval: string) => ({ changedOn: sql<Date>`now() - ${interval}::interval` });
    await db.updateTable('meters').set(changedOn('8 days')).where('id', '=', 'old').execute();
    await db.updateTable('meters').set(changedOn('6 days')).where('id', '=', 'young').execute();
    await forgetMeters(db);
    expect(await db.selectFrom('meters').select('id').execute()).toEqual([{ id: 'young' }]);
  });
});

describe('accounts of several services', { tags: 'tools' }, () => {
  const server = serverBackend();

  test('are made once by services that start together', async context => {
    const { db } = await openAccounts(await server.locate(context));
    const tokens = [];
    for (let round = 0; round < 20; round++) {
      await db.deleteFrom('accounts').execute();
      const starts = Array.from({ length: 8 }, () => ensureFirstAccount(db, {}, new Date()));
      tokens.push((await Promise.all(starts)).filter(token => token !== undefined).length);
    }
    expect(new Set(tokens)).toEqual(new Set([1]));
  });

  test('are charged once for a meter that is booked by several statements at a time', async context => {
    const { administration, db, id } = await openAccounts(await server.locate(context));
    const totals = Array.from({ length: 40 }, (_, index) => 1 + (index % 10));
    await Promise.all(
      totals.flatMap(totalSeconds =>
        ['a', 'b'].map(meterId => takeCredit(db, id, { meterId, totalSeconds })),
      ),
    );
    expect(await administration.find(id)).toMatchObject({ balanceSeconds: 80 });
  });

  test('see changes by others within seconds', async context => {
    const clock = new VirtualClock();
    const place = await server.locate(context);
    const here = await openAccounts(place, clock);
    const there = await openAccounts(place, clock);
    const { token, id: tokenId } = await here.administration.createToken(here.id);
    expect(await there.accounts.authenticate(token)).toBeDefined();
    const meter = there.accounts.openMeter(here.id);
    meter.use(100);
    expect(meter.hasCredit).toBe(false);
    await here.administration.addCredit(here.id, 1);
    await there.accounts.refreshCredit(here.id);
    expect(meter.hasCredit).toBe(true);
    await here.administration.revokeToken(here.id, tokenId);
    expect(await here.accounts.authenticate(token)).toBeUndefined();
    clock.advance(TOKEN_FRESH_MS);
    await eventually(async () => expect(await there.accounts.authenticate(token)).toBeUndefined());
  });
});
