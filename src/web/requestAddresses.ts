import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { InvalidArgumentError } from '../base/errors.ts';

/** @throws InvalidArgumentError for what is no address of http or https, or has a query or a user */
export function checkPublicUrl(publicUrl: string): void {
  const url = URL.parse(publicUrl);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return;
  throw new InvalidArgumentError(
    'The public address is not valid (allowed: addresses such as https://speech.example.org).',
  );
}

const LOOPBACK = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/;

/** Names that no public name server gives, so that only the own network can lead them to an address. */
const INNER_NAME = /^[^.]+$|\.(local|internal|home\.arpa)$/;

/** Returns whether only programs of the same machine reach a server that listens on an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(nameOf(host));
}

/**
 * Returns a function that returns whether the `Host` header of a request names a server. If any name did, a web site could
 * read the server through the browsers of its visitors, by a name of its own that leads to the server (DNS rebinding).
 *
 * The names are `host`, that of `publicUrl` and those of the loopback address, at any port, as tunnels have others. Unless
 * `host` is a loopback address, also all IP addresses, names of inner networks such as `hall.local`, and the machine's name.
 * A request without the header comes from no browser.
 *
 * @param host address that the server listens on
 */
export function hostCheck(host: string, publicUrl?: string): (header: string | undefined) => boolean {
  const publicName = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
  const names = new Set([host, publicName, hostname()].map(nameOf));
  const inner = isLoopback(host) ? () => false : isInner;
  return header => {
    if (header === undefined) return true;
    const name = nameOf(header);
    return name !== '' && (names.has(name) || LOOPBACK.test(name) || inner(name));
  };
}

function isInner(name: string): boolean {
  return isIPv4(name) || name.startsWith('[') || INNER_NAME.test(name);
}

/** Returns the name of `NAME` or `NAME:PORT` as browsers write it; empty for what is not valid. */
function nameOf(host: string): string {
  return (URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? '').replace(/\.$/, '');
}

/** Returns whether a peer is a proxy whose `X-Forwarded-For` is believed. */
export type TrustProxy = (address: string) => boolean;

/** Ranges that have a name. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** First and last address of each family: who trusts both trusts everybody. */
const ENDS = [
  ['0.0.0.0', '255.255.255.255'],
  ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

/**
 * Returns the rule that trusts the given proxies.
 *
 * @param ranges addresses, CIDRs, or `loopback`, `linklocal`, `uniquelocal`; none trusts nobody
 * @param option name of the option, for the error
 * @throws InvalidArgumentError for anything else, and for ranges that trust everybody
 */
export function trustedProxies(ranges: readonly string[], option = "Option 'trustProxy'"): TrustProxy {
  const list = Array.isArray(ranges) ? listOf(ranges.flatMap(range => NAMED[range] ?? [range])) : undefined;
  const trust = (address: string) =>
    isIP(address) !== 0 && list!.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  if (list && !ENDS.some(ends => ends.every(trust))) return trust;
  throw new InvalidArgumentError(
    `${option} must be addresses or CIDRs of proxies, such as 10.0.0.0/8, or ${Object.keys(NAMED).join(', ')}, and not everybody (found: '${ranges}').`,
  );
}

/** Undefined when one of the ranges is none. */
function listOf(ranges: readonly unknown[]): BlockList | undefined {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(String(range)) ?? [];
    const longest = { 4: 32, 6: 128 }[isIP(address)];
    if (longest === undefined || Number(bits ?? longest) > longest) return undefined;
    list.addSubnet(address, Number(bits ?? longest), longest === 128 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Returns the address of the client of a request: that of its connection, or the one that trusted proxies pass on. */
export function clientAddress({ socket, headers }: IncomingMessage, trust: TrustProxy): string | undefined {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !trust(remoteAddress)) return addressOf(remoteAddress);
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map(hop => hop.trim())
    .filter(Boolean);
  return addressOf(hops.findLast(hop => !trust(hop)) ?? hops[0] ?? remoteAddress);
}

/** Returns an address without its zone; undefined for other text, which a proxy may have passed on. */
export function addressOf(text: string | undefined): string | undefined {
  const address = text?.split('%', 1)[0];
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
}

/**
 * Returns the network of an address: the owner of an IPv6 address has the other 2^64 of its network as well. What is no
 * address has the network `''`.
 */
export function networkOf(text: string | undefined): string {
  const address = addressOf(text) ?? '';
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head, tail] = address.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = tail ? Array(8 - head!.length - tail.length).fill('0') : [];
  return [...head!, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}
