import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import proxyAddr from '@fastify/proxy-addr';
import { InvalidArgumentError } from '../base/errors.ts';

/** @throws InvalidArgumentError for anything but an http or https address, and for one with a query or a user */
export function checkPublicUrl(publicUrl: string): void {
  const url = URL.parse(publicUrl);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return;
  throw new InvalidArgumentError(
    'The public address is not valid (allowed: addresses such as https://speech.example.org).',
  );
}

const LOOPBACK = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/;

/** Names that no public name server resolves, so that only the local network can. */
const INNER_NAME = /^[^.]+$|\.(local|internal|home\.arpa)$/;

/** Returns whether only programs of the same machine reach a server that listens on an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(nameOf(host));
}

/**
 * Returns a function that returns whether the `Host` header of a request names a server. If any name were accepted, a web site
 * could read the server through the browsers of its visitors, by a name that it resolves to the server (DNS rebinding).
 *
 * The names are `host`, that of `publicUrl` and those of the loopback address, at any port, as tunnels have others. Unless
 * `host` is a loopback address, all IP addresses, names of inner networks such as `hall.local`, and the machine's name are
 * accepted too. A request without the header is not from a browser.
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

/** Returns the name of `NAME` or `NAME:PORT` as browsers write it; empty for an invalid text. */
function nameOf(host: string): string {
  return (URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? '').replace(/\.$/, '');
}

/** Returns whether a peer is a proxy whose `X-Forwarded-For` is believed. */
export type TrustProxy = (address: string) => boolean;

/** Names of ranges, addresses and CIDRs: no netmasks, nor numbers, which would be counts of proxies elsewhere. */
const RANGE = /^([a-z]+|[^/]*[.:][^/]*(\/\d+)?)$/;

/** First and last address of each family: a range with both trusts everybody. */
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
  try {
    const isTrusted = proxyAddr.compile(ranges.map(range => (RANGE.test(range) ? range : '')));
    const trust = (address: string) => isTrusted(address, 0);
    if (!ENDS.some(ends => ends.every(trust))) return trust;
  } catch {
    // The error of the library has no message for people.
  }
  throw new InvalidArgumentError(
    `${option} must be addresses or CIDRs of proxies, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, and not everybody (found: '${ranges}').`,
  );
}

/** Returns the address of the client of a request: that of its connection, or the one that trusted proxies pass on. */
export function clientAddress(request: IncomingMessage, trust: TrustProxy): string | undefined {
  return addressOf(proxyAddr(request, trust));
}

/** `1.2.3.4:80`, `[::1]:80` and `[::1]`, as some proxies pass addresses on. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([^\]]*)\](?::\d{1,5})?)$/;

/** Returns an address without its port and zone; undefined for other text, which a proxy may have passed on. */
export function addressOf(text: string | undefined): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text ?? '') ?? [];
  const address = (ipv4 ?? ipv6 ?? text)?.split('%', 1)[0];
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
}

/**
 * Returns the network of an address: the owner of an IPv6 address has the other 2^64 of its network as well. Any other text has
 * the network `''`.
 */
export function networkOf(text: string | undefined): string {
  const address = addressOf(text) ?? '';
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head, tail] = address.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = tail ? Array(8 - head!.length - tail.length).fill('0') : [];
  return [...head!, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}
