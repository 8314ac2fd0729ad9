import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createToken } from '../../../src/service/accounts/tokens.ts';
import { keptService } from '../../helpers/keptService.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';

const ADMIN_TOKEN = 'a'.repeat(32);
const ACCOUNT = '/speechtotext/v1/account';
const service = keptService({
  adminToken: ADMIN_TOKEN,
  limits: { guesses: { perSecond: 0.001, burst: 20 } },
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('new tokens are accepted while another client of the same address guesses', async () => {
  let isOver = false;
  let guesses = 0;
  let refusals = 0;
  const guess = async () => {
    while (!isOver) {
      const { status } = await request(service(), ACCOUNT, { headers: bearer(createToken()) });
      guesses++;
      if (status === 429) refusals++;
      await setImmediate();
    }
  };
  const guessers = Array.from({ length: 8 }, guess);
  while (refusals === 0) await setImmediate();
  for (let i = 0; i < 4; i++) {
    const created = await request(service(), '/admin/v1/accounts/owner/tokens', {
      method: 'POST',
      headers: { ...bearer(ADMIN_TOKEN), 'content-type': 'application/json' },
      body: '{}',
    });
    const { token } = created.json();
    expect((await request(service(), ACCOUNT, { headers: bearer(token) })).status).toBe(200);
    const stream = connectStream(service(), { access_token: token });
    await stream.connected;
    stream.send('EOS');
    await stream.closed;
  }
  isOver = true;
  await Promise.all(guessers);
  expect(refusals).toBe(guesses - 20);
}, 60_000);
