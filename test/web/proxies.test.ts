import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addressOf, clientAddress, networkOf, trustedProxies } from '../../src/web/requestAddresses.ts';

const PUBLIC = ['192.0.2.1', '203.0.113.255', '1.1.1.1', '2001:db8::1', '::ffff:192.0.2.1', undefined];

describe('trusted proxies', () => {
  test.each([
    [[], undefined],
    [['loopback'], '127.0.0.1'],
    [['loopback'], '::1'],
    [['10.0.0.0/8', '2001:db8:5::/48'], '::ffff:10.9.8.7'],
    [['10.0.0.0/8', '2001:db8:5::/48'], '2001:db8:5::7'],
    [['uniquelocal', 'linklocal'], '192.168.1.1'],
    [['192.168.7.7'], '192.168.7.7'],
  ] as const)('are those of %j', (ranges, proxy) => {
    const trust = trustedProxies(ranges);
    if (proxy !== undefined) expect(trust(proxy)).toBe(true);
    for (const address of PUBLIC) expect(trust(address as string)).toBe(false);
  });

  test.each([
    [['true']],
    [['1']],
    [['']],
    [['*']],
    [['all']],
    [['example.org']],
    [['10.0.0.0/33']],
    [['10.0.0.0/255.0.0.0']],
    [['10.0.0.0/']],
    [['10.0.0.0/0']],
    [['0.0.0.0/0']],
    [['::/0']],
    [['::ffff:0:0/96']],
    [['0.0.0.0/1', 'loopback', '128.0.0.0/1']],
    [['loopback, 10.0.0.0/8']],
    [true],
    [1],
    ['loopback'],
    [[1]],
  ])('cannot be %j', ranges => {
    expect(() => trustedProxies(ranges as readonly string[])).toThrow(
      /^Option 'trustProxy' must be addresses or CIDRs of proxies, .* and not everybody \(found: '.*'\)\.$/,
    );
  });
});

describe('the address of a client', () => {
  const addressFrom = (
    peer: string | undefined,
    forwarded: string | undefined,
    ranges: readonly string[],
  ) => {
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } };
    return clientAddress(request as unknown as IncomingMessage, trustedProxies(ranges));
  };

  test.each([
    ['10.0.0.1', '192.0.2.1', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.0.0.1', '192.0.2.9, 192.0.2.1', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.0.0.1', '192.0.2.9, 192.0.2.1, 10.0.0.2', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.0.0.1', undefined, ['10.0.0.0/8'], '10.0.0.1'],
    ['192.0.2.7', '192.0.2.1', ['10.0.0.0/8'], '192.0.2.7'],
    ['10.0.0.1', '192.0.2.1', [], '10.0.0.1'],
    ['10.0.0.1', '192.0.2.9, 192.0.2.1:4711', ['10.0.0.0/8'], '192.0.2.1'],
    ['10.0.0.1', '[2001:db8::1]:4711', ['10.0.0.0/8'], '2001:db8::1'],
    ['10.0.0.1', 'x'.repeat(10_000), ['10.0.0.0/8'], undefined],
    [undefined, '192.0.2.1', ['10.0.0.0/8'], undefined],
  ])('of peer %s that forwards %s is found', (peer, forwarded, ranges, expected) => {
    expect(addressFrom(peer, forwarded, ranges)).toBe(expected);
  });

  test('has no zone, which has any length', () => {
    expect(addressOf(`fe80::1%${'x'.repeat(1000)}`)).toBe('fe80::1');
    expect(networkOf('1::2%a:b:c:d:e:f:g:h:i')).toBe('1:0:0:0');
  });

  test('has the network of all other text when it is none', () => {
    const texts = ['unknown', '', undefined, 'x'.repeat(10_000), '1.2.3.4:', '[x]:80'];
    expect(new Set(texts.map(networkOf))).toEqual(new Set(['']));
  });
});
