import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 networks outside the public internet: the special-purpose registry of IANA (RFC 6890), multicast and reserved. */
const CLOSED_IPV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carriers' NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and with it the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const;

/** Networks outside the public internet within the global unicast addresses of IPv6. */
const CLOSED_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['3fff::', 20], // documentation
] as const;

/** Networks of IPv6 that embed an IPv4 address, and the first of its groups. */
const EMBEDDING = [
  { prefix: ['::ffff:0:0', 96], group: 6 }, // IPv4-mapped
  { prefix: ['64:ff9b::', 96], group: 6 }, // NAT64
  { prefix: ['2002::', 16], group: 1 }, // 6to4
] as const;

const closedIpv4 = new BlockList();
for (const [network, prefix] of CLOSED_IPV4) closedIpv4.addSubnet(network, prefix, 'ipv4');
const closedIpv6 = new BlockList();
for (const [network, prefix] of CLOSED_IPV6) closedIpv6.addSubnet(network, prefix, 'ipv6');
/** Global unicast addresses; loopback, local, multicast and obsolete ones are outside. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

const embeddings = EMBEDDING.map(({ prefix: [network, length], group }) => {
  const range = new BlockList();
  range.addSubnet(network, length, 'ipv6');
  return { range, group };
});

/**
 * Returns whether a text is an IP address of the public internet.
 *
 * @example
 * isPublicAddress('::ffff:10.0.0.1') // false
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedIpv4.check(address, 'ipv4');
  // An address with a zone is link-local.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const embedding = embeddings.find(({ range }) => range.check(address, 'ipv6'));
  if (embedding) return isPublicAddress(embeddedIpv4(address, embedding.group));
  return globalIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
}

/** Names of this machine and of private networks (RFC 6761, 6762 and 8375, and the domain that ICANN keeps private). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/**
 * Returns whether the host of a URL may be public: false for a private address, and for a name that is always private. Other
 * names are judged by the addresses to which they resolve.
 */
export function mayBePublic({ hostname }: URL): boolean {
  // URL has normalised all notations of an address, such as 0x7f.1 or 2130706433.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? !PRIVATE_NAME.test(host) : isPublicAddress(host);
}

function embeddedIpv4(address: string, group: number): string {
  const [high, low] = groupsOf(address).slice(group) as [number, number];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // `URL` normalises the address: hexadecimal throughout, the longest run of zeros left out.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head.split(':').filter(group => group !== '');
  const right = tail?.split(':').filter(group => group !== '') ?? [];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map(group => Number.parseInt(group, 16));
}
