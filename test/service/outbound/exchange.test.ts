import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type AddressGuard, createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import { exchange } from '../../../src/service/outbound/exchange.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';

const strict = createAddressGuard();
const open = createAddressGuard({
  allowPrivate: true,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

function send(url: string, guard: AddressGuard, connectTimeoutMs = 10_000) {
  const request = { url: new URL(url), method: 'GET', headers: {} } as const;
  const { signal } = new AbortController();
  return exchange(request, { guard, clock: systemClock, connectTimeoutMs, answerTimeoutMs: 10_000, signal });
}

/** A server that counts its connections and requests. */
async function target() {
  const seen = { connections: 0, requests: 0 };
  const { port } = await httpServer((_, response) => {
    seen.requests++;
    response.end();
  });
  return { port, seen };
}

describe('an exchange', () => {
  test('sends nothing to an address that the guard refuses', async () => {
    const { port, seen } = await target();
    const ways: readonly (readonly [string, AddressGuard])[] = [
      [`http://127.0.0.1:${port}/`, { ...open, checkHost: strict.checkHost }],
      [`http://[::ffff:127.0.0.1]:${port}/`, { ...open, checkHost: strict.checkHost }],
      [`http://name.example:${port}/`, { ...open, lookup: lookupRefusing(strict) }],
      // Even if both other checks were deceived, the open connection is checked.
      [`http://127.0.0.1:${port}/`, { ...open, checkAddress: strict.checkAddress }],
      [`http://name.example:${port}/`, { ...open, checkAddress: strict.checkAddress }],
      [`https://name.example:${port}/`, { ...open, checkAddress: strict.checkAddress }],
    ];
    for (const [url, guard] of ways) {
      await expect(send(url, guard)).rejects.toThrow('its address is not public');
    }
    expect(seen.requests).toBe(0);
    (await send(`http://name.example:${port}/`, open)).destroy();
    expect(seen.requests).toBe(1);
  });

  test('resolves a name once, and ignores later changes', async () => {
    const { port, seen } = await target();
    // The first address is in a network that was never assigned.
    const answers = ['3000::1', '127.0.0.1', '127.0.0.1'];
    let asked = 0;
    const guard = createAddressGuard({
      resolve: async () => {
        const address = answers[asked++]!;
        return [{ address, family: address.includes(':') ? 6 : 4 }];
      },
    });
    await expect(send(`http://rebound.example:${port}/`, guard, 500)).rejects.toThrow(
      /(its host cannot be reached|no connection within .*)$/,
    );
    expect(asked).toBe(1);
    await expect(send(`http://rebound.example:${port}/`, guard)).rejects.toThrow('its address is not public');
    expect(seen.requests).toBe(0);
  });
});

function lookupRefusing(guard: AddressGuard): AddressGuard['lookup'] {
  return (_, options, callback) => guard.lookup('localhost', options, callback);
}
