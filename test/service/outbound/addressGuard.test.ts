import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressGuard, type Resolve } from '../../../src/service/outbound/addressGuard.ts';
import { isPublicAddress } from '../../../src/service/outbound/publicAddress.ts';

/** Independent of the code: first and last address of each closed range. */
const CLOSED = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;

const numberOf = (address: string) =>
  address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0);
const ipv4Of = (number: number) => [24, 16, 8, 0].map(shift => (number >>> shift) & 0xff).join('.');
const isClosed = (number: number) =>
  CLOSED.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last));

const closedIpv4 = fc
  .constantFrom(...CLOSED)
  .chain(([first, last]) => fc.integer({ min: numberOf(first), max: numberOf(last) }));
/** Addresses of which half are closed, with the neighbours of every range. */
const anyIpv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  closedIpv4,
  fc.constantFrom(...CLOSED).map(([first]) => Math.max(0, numberOf(first) - 1)),
  fc.constantFrom(...CLOSED).map(([, last]) => Math.min(0xffffffff, numberOf(last) + 1)),
);

const hex = (number: number) =>
  `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16).padStart(4, '0')}`;

describe('an address of IPv4', () => {
  test('is public unless it is within a range that is not', () => {
    fc.assert(fc.property(anyIpv4, number => isPublicAddress(ipv4Of(number)) === !isClosed(number)));
  });

  test('is treated the same in every form that IPv6 has for it', () => {
    fc.assert(
      fc.property(anyIpv4, number => {
        const dotted = ipv4Of(number);
        const forms = [
          `::ffff:${dotted}`,
          `::FFFF:${hex(number)}`,
          `0:0:0:0:0:ffff:${hex(number)}`,
          `64:ff9b::${dotted}`,
          `64:ff9b:0:0:0:0:${hex(number)}`,
          `2002:${hex(number)}::`,
          `2002:${hex(number)}::1`,
          `2002:${hex(number)}:1:2:3:4:5`,
        ];
        expect(forms.filter(form => !isIPv6(form))).toEqual([]);
        expect(forms.filter(form => isPublicAddress(form) === isClosed(number))).toEqual([]);
      }),
    );
  });
});

describe('an address of IPv6', () => {
  test.each([
    '2606:2800:220:1:248:1893:25c8:1946',
    '2A00:1450:4001:800::200e',
    '2001:4860:4860::8888',
    '2400:cb00:2048:1::c629:d7a2',
  ])('%s is public', address => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, written out', '0:0:0:0:0:0:0:1'],
    ['of a link', 'fe80::1'],
    ['of a link, with its zone', 'fe80::1%eth0'],
    ['public, but with a zone', '2606:4700::1%eth0'],
    ['of a site', 'fec0::1'],
    ['local', 'fc00::1'],
    ['local', 'fdff:ffff::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:fff::1'],
    ['benchmarking', '2001:2::1'],
    ['Teredo of a private address', '2001:0:4136:e378:8000:63bf:f5ff:fffe'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['an old form of IPv4', '::8.8.8.8'],
    ['translated IPv4', '::ffff:0:8.8.8.8'],
    ['of no kind yet', '4000::1'],
    ['discard-only', '100::1'],
    ['segment routing', '5f00::1'],
  ])('is not public when it is %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('is not public outside of global unicast, whatever follows', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    // 0 and 64 may start a range with embedded IPv4 addresses.
    const first = group.filter(number => number >> 13 !== 1 && number !== 0 && number !== 0x64);
    fc.assert(
      fc.property(first, fc.tuple(group, group, group, group, group, group, group), (head, tail) => {
        const address = [head, ...tail].map(number => number.toString(16)).join(':');
        expect(isIPv6(address)).toBe(true);
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});

test.each(['', 'localhost', '1.2.3', '8.8.8.8.', ' 8.8.8.8', '[::1]'])('"%s" is no address', text => {
  expect(isPublicAddress(text)).toBe(false);
});

describe('a guard', () => {
  const resolvesTo = (...addresses: string[]): Resolve => {
    return async () => addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  const look = (guard: ReturnType<typeof createAddressGuard>, all: boolean) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      guard.lookup('media.example', { all }, (error, address) => (error ? reject(error) : resolve(address)));
    });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://１２７.0.0.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'http://localhost/',
    'http://LOCALHOST.:8080/',
    'http://app.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://nas.home.arpa/',
  ])('refuses %s', address => {
    expect(() => createAddressGuard().checkHost(new URL(address))).toThrow('its address is not public');
    expect(() => createAddressGuard({ allowPrivate: true }).checkHost(new URL(address))).not.toThrow();
  });

  test('allows public addresses, and names, which are checked by their addresses', () => {
    const names = ['http://media.example/', 'http://localhost.example/', 'http://mylocal/'];
    for (const address of ['http://8.8.8.8/', 'http://[2606:4700::1111]/', ...names]) {
      expect(() => createAddressGuard().checkHost(new URL(address))).not.toThrow();
    }
  });

  test('returns one address or all, as requested', async () => {
    const guard = createAddressGuard({ resolve: resolvesTo('8.8.8.8', '2606:4700::1111') });
    await expect(look(guard, false)).resolves.toBe('8.8.8.8');
    await expect(look(guard, true)).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test.each([
    ['private', ['10.0.0.1']],
    ['private among public ones', ['8.8.8.8', '2606:4700::1111', '192.168.0.1']],
    ['loopback of IPv6', ['8.8.8.8', '::1']],
  ])('refuses a name whose address is %s', async (_, addresses) => {
    const resolve = resolvesTo(...addresses);
    await expect(look(createAddressGuard({ resolve }), true)).rejects.toThrow('its address is not public');
    await expect(look(createAddressGuard({ resolve }), false)).rejects.toThrow('its address is not public');
    await expect(look(createAddressGuard({ resolve, allowPrivate: true }), true)).resolves.toHaveLength(
      addresses.length,
    );
  });

  test('fails for a name without addresses, and with the errors of the resolver', async () => {
    await expect(look(createAddressGuard({ resolve: resolvesTo() }), true)).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
    const resolve = () => Promise.reject(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }));
    await expect(look(createAddressGuard({ resolve }), true)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  test("uses the system's resolver by default", async () => {
    const guard = createAddressGuard({ allowPrivate: true });
    const local = new Promise((resolve, reject) => {
      guard.lookup('localhost', { all: true }, (error, address) =>
        error ? reject(error) : resolve(address),
      );
    });
    await expect(local).resolves.toContainEqual(expect.objectContaining({ family: expect.any(Number) }));
  });
});
