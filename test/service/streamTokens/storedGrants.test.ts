import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createStoredAccounts } from '../../../src/service/accounts/storedAccounts.ts';
import { forgetOld } from '../../../src/service/jobs/retention.ts';
import { openStore, type StoreOptions } from '../../../src/service/store/store.ts';
import { storedGrants } from '../../../src/service/streamTokens/storedGrants.ts';
import { createStreamTokens, MAX_STREAM_TOKENS } from '../../../src/service/streamTokens/streamTokens.ts';
import { eventually } from '../../helpers/eventually.ts';
import { describeOnStores, serverBackend } from '../../helpers/storeBackends.ts';
import { connectedStream, connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';
import { unexpected } from '../../helpers/unexpected.ts';

const TEN_SECONDS = { expires_in_seconds: 10, metadata: 'private words' };

async function openTokens(place: Pick<StoreOptions, 'dataDirectory' | 'databaseUrl'>) {
  const clock = new VirtualClock();
  const store = openStore({ ...place, clock, onError: unexpected });
  const accounts = createStoredAccounts({
    opened: store.opened,
    token: TEST_TOKEN,
    clock,
    onError: unexpected,
  });
  onTestFinished(async () => {
    await accounts.close();
    await store.close();
  });
  const { db } = await accounts.prepared;
  const grants = storedGrants(accounts);
  const kept = () => db.selectFrom('streamTokens').selectAll().execute();
  return { clock, accounts, db, kept, tokens: createStreamTokens(accounts, grants, clock) };
}

describeOnStores('stream tokens', ({ locate }) => {
  test('are stored as hashes, expire, and are then forgotten', async context => {
    const { clock, db, kept, tokens } = await openTokens(await locate(context));
    const { token } = await tokens.mint(TEST_TOKEN, 'owner', TEN_SECONDS);
    const later = await tokens.mint(TEST_TOKEN, 'owner', { expires_in_seconds: 20 });
    expect(JSON.stringify(await kept())).not.toContain(token);
    expect(JSON.stringify(await kept())).not.toContain(TEST_TOKEN);
    expect(await tokens.authenticate(token)).toMatchObject({ accountId: 'owner', metadata: 'private words' });
    clock.advance(10_000);
    expect(await tokens.authenticate(token)).toBeUndefined();
    await forgetOld(db, new Date(clock.wallTime()));
    expect(await kept()).toHaveLength(1);
    expect(await tokens.authenticate(later.token)).toBeDefined();
  });

  test('go with the token that minted them', async context => {
    const { accounts, kept, tokens } = await openTokens(await locate(context));
    const { administration } = accounts;
    const minter = await administration.createToken('owner');
    const { token } = await tokens.mint(minter.token, 'owner', TEN_SECONDS);
    const caller = await tokens.authenticate(token);
    expect(await caller!.isTokenValid()).toBe(true);
    await administration.revokeToken('owner', minter.id);
    expect(await caller!.isTokenValid()).toBe(false);
    expect(await tokens.authenticate(token)).toBeUndefined();
    expect(await kept()).toEqual([]);
    const again = tokens.mint(minter.token, 'owner', TEN_SECONDS);
    await expect(again).rejects.toMatchObject({ problem: 'tooManyRequests' });
  });

  test('are of a limited number for each account', async context => {
    const { clock, db, tokens } = await openTokens(await locate(context));
    const first = await tokens.mint(TEST_TOKEN, 'owner', TEN_SECONDS);
    const row = await db.selectFrom('streamTokens').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: MAX_STREAM_TOKENS - 1 }, (_, index) => ({
      ...row,
      hash: `hash${index}`,
    }));
    for (let at = 0; at < rows.length; at += 2000) {
      await db
        .insertInto('streamTokens')
        .values(rows.slice(at, at + 2000))
        .execute();
    }
    const mint = () => tokens.mint(TEST_TOKEN, 'owner', TEN_SECONDS);
    await expect(mint()).rejects.toMatchObject({ problem: 'tooManyRequests' });
    expect(await tokens.authenticate(first.token)).toBeDefined();
    clock.advance(10_000);
    await expect(mint()).resolves.toBeDefined();
  });
});

const { locate } = serverBackend();

test('two processes share stream tokens and the limits of their sessions', {
  tags: 'tools',
}, async context => {
  const place = await locate(context);
  const one = await startTestService(place);
  await one.ready;
  const other = await startTestService(place);
  await other.ready;
  const body = JSON.stringify({ max_sessions: 1 });
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', body, headers };
  const { token } = (await request(one, '/speechtotext/v1/stream_tokens', init)).json();
  // A process that has not joined the others yet counts its own streams only.
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  await eventually(async () => expect((await client.query('select id from members')).rows).toHaveLength(2));
  await client.end();
  const first = await connectedStream(other, { access_token: token });
  await expect(connectStream(one, { access_token: token }).closed).resolves.toMatchObject({ code: 4029 });
  await expect(connectStream(other, { access_token: token }).closed).resolves.toMatchObject({ code: 4029 });
  (await connectedStream(one)).socket.terminate();
  await first.finish();
  await eventually(async () => {
    const next = await connectedStream(one, { access_token: token });
    next.socket.terminate();
  });
});
