import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import { keptService } from '../../helpers/keptService.ts';
import { connectedStream } from '../../helpers/streamClient.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService();

test('a client creates tokens that open streams, for as long as it says', async () => {
  const client = createClient({ url: service().url, token: TEST_TOKEN });
  const beforeMs = Date.now();
  const made = await client.createStreamToken({ expiresInSeconds: 600, maxSessions: 1, metadata: 'visitor' });
  expect(Date.parse(made.expiresOn) - beforeMs).toBeGreaterThanOrEqual(599_000);
  const stream = await connectedStream(service(), { access_token: made.token });
  stream.socket.close();
  const visitor = createClient({ url: service().url, token: made.token });
  await expect(visitor.account()).rejects.toMatchObject({ name: 'UnauthorizedError' });
  await expect(client.createStreamToken({ expiresInSeconds: 0 })).rejects.toMatchObject({
    name: 'InvalidParametersError',
  });
  expect((await client.createStreamToken()).token).not.toBe(made.token);
});
