import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Accounts } from '../../../src/service/accounts/accounts.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import { eventually } from '../../helpers/eventually.ts';
import { connectStream, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const LIMITS = { stream: { idleMs: 1e9, heartbeatMs: 1e9 } };

async function end(client: StreamClient): Promise<void> {
  expect((await client.finish()).code).toBe(1000);
}

test('the operator limits the streams of a service', async () => {
  const clock = new VirtualClock();
  const service = await startTestService({ clock, limits: LIMITS, maxStreams: 1 });
  await connectStream(service).connected;
  expect((await advanceUntil(clock, 500, connectStream(service).closed)).code).toBe(4013);
});

test.for([0, -1, Number.NaN])('a limit of %s streams is refused', async maxStreams => {
  await expect(startTestService({ maxStreams })).rejects.toThrow(
    `Option 'maxStreams' must be at least 1, not '${maxStreams}'.`,
  );
});

test('streams that wait count against the limit of their account', async () => {
  const service = await startTestService({
    maxStreams: 1,
    limits: { account: { streams: 3 } },
  });
  const clients = [connectStream(service)];
  await clients[0]!.connected;
  for (let count = 0; count < 2; count++) clients.push(connectStream(service));
  await Promise.all(clients.map(({ opened }) => opened));
  expect((await connectStream(service).closed).code).toBe(4029);
});

test('an account with many waiting streams does not keep another one waiting', async () => {
  const other = 'another-token-of-the-service';
  const service = await startTestService({ maxStreams: 1, accounts: twoAccounts(TEST_TOKEN, other) });
  const order: string[] = [];
  const clients = new Map<string, StreamClient>();
  const tokens = { first: TEST_TOKEN, second: TEST_TOKEN, third: TEST_TOKEN, other };
  for (const [name, access_token] of Object.entries(tokens)) {
    const client = connectStream(service, { access_token });
    clients.set(name, client);
    void client.connected.then(() => order.push(name));
    await client.opened;
    // Answered after the request for a session, so that each is in the line before the next one comes.
    await new Promise(resolve => client.socket.ping(() => client.socket.once('pong', resolve)));
  }
  for (let served = 1; served <= clients.size; served++) {
    await eventually(() => expect(order).toHaveLength(served));
    await end(clients.get(order.at(-1)!)!);
  }
  expect(order).toEqual(['first', 'second', 'other', 'third']);
});

/** Returns two accounts in memory, of a token each. */
function twoAccounts(...tokens: readonly [string, string]): Accounts {
  const accounts = createFixedAccount(tokens[0]);
  return {
    ...accounts,
    async authenticate(token) {
      return tokens.includes(token) ? { accountId: `account of ${token}`, limits: {} } : undefined;
    },
  };
}
