import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createAuthenticationThrottle } from '../../../src/service/rateLimits/authenticationThrottle.ts';

/** A throttle that accepts `good…`; after 3 other tokens, an address has to wait 10 s for the next one. */
function testThrottle() {
  const clock = new VirtualClock();
  let lookups = 0;
  const throttle = createAuthenticationThrottle({ perSecond: 0.1, burst: 3 }, clock);
  const lookUp = async (token: string) => {
    lookups++;
    return token.startsWith('good') ? token : undefined;
  };
  return {
    clock,
    lookups: () => lookups,
    bring: async (address: string | undefined, token: string | undefined) =>
      (await throttle.authenticate(address, token, lookUp)).kind,
    authenticate: (address: string, token: string) => throttle.authenticate(address, token, lookUp),
  };
}

describe('a throttle', () => {
  test('makes an address with too many wrong tokens wait', async () => {
    const { bring, authenticate, clock } = testThrottle();
    for (let i = 0; i < 3; i++) expect(await bring('10.0.0.1', `wrong${i}`)).toBe('unauthorized');
    expect(await authenticate('10.0.0.1', 'wrong')).toEqual({ kind: 'throttled', waitMs: 10_000 });
    expect(await bring('10.0.0.2', 'wrong')).toBe('unauthorized');
    clock.advance(10_000);
    expect(await bring('10.0.0.1', 'wrong')).toBe('unauthorized');
    expect(await bring('10.0.0.1', 'wrong')).toBe('throttled');
  });

  test('accepts a right token, whatever else comes from its address', async () => {
    const { bring } = testThrottle();
    for (let i = 0; i < 100; i++) await bring('10.0.0.1', `wrong${i}`);
    expect(await bring('10.0.0.1', 'good')).toBe('known');
    expect(await bring('10.0.0.1', 'wrong')).toBe('throttled');
    expect(await bring('10.0.0.1', 'good too')).toBe('known');
  });

  test('counts concurrent requests', async () => {
    const { bring } = testThrottle();
    const kinds = await Promise.all(Array.from({ length: 13 }, () => bring('10.0.0.1', 'wrong')));
    expect(kinds.filter(kind => kind === 'unauthorized').length).toBe(3);
  });

  test('does not count requests without a token', async () => {
    const { bring, lookups } = testThrottle();
    for (let i = 0; i < 10; i++) expect(await bring('10.0.0.1', undefined)).toBe('unauthorized');
    expect(lookups()).toBe(0);
    expect(await bring('10.0.0.1', 'wrong')).toBe('unauthorized');
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8::1', '2001:db8:0:0:5::1', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    ['10.0.0.1', '10.0.0.2', false],
  ])('regards %s and %s as one network: %s', async (first, second, isSame) => {
    const { bring } = testThrottle();
    for (let i = 0; i < 3; i++) await bring(first, 'wrong');
    expect(await bring(second, 'wrong')).toBe(isSame ? 'throttled' : 'unauthorized');
  });

  test('remembers a limited number of addresses', async () => {
    const { bring } = testThrottle();
    for (let i = 0; i < 3; i++) await bring('10.0.0.1', 'wrong');
    expect(await bring('10.0.0.1', 'wrong')).toBe('throttled');
    for (let i = 0; i < 10_000; i++) await bring(`10.1.${i >> 8}.${i & 255}`, 'wrong');
    expect(await bring('10.0.0.1', 'wrong')).toBe('unauthorized');
  });
});
