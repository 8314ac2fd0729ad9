import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outboundError.ts';
import { isPublicAddress } from './publicAddress.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string, options: LookupOptions) => Promise<readonly LookupAddress[]>;

export interface AddressGuardOptions {
  /** Let everything pass: for networks where receivers and media are private. Default false. */
  readonly allowPrivate?: boolean;
  /** Default: as the system does it. */
  readonly resolve?: Resolve;
}

/**
 * Says which addresses the service may connect to on behalf of its users, who could otherwise reach through it what only
 * it can reach. Names are judged while connecting, by what they are resolved to for that one connection: a name that is
 * public when asked first and private when asked again gains nothing.
 */
export interface AddressGuard {
  /**
   * Judges a host that is given as an address: to those, nobody asks `lookup`.
   *
   * @throws OutboundError when the address is not public
   */
  checkHost(url: URL): void;
  /** For `node:net`: resolves a name, and fails when any of its addresses is not public. */
  readonly lookup: LookupFunction;
  /**
   * Judges the far end of a connection that stands.
   *
   * @throws OutboundError when the address is not public
   */
  checkAddress(address: string | undefined): void;
}

const resolveBySystem: Resolve = (hostname, options) => systemLookup(hostname, { ...options, all: true });

/** Makes a guard. */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const { allowPrivate = false, resolve = resolveBySystem } = options;
  const checkAddress = (address: string | undefined) => {
    if (allowPrivate || (address !== undefined && isPublicAddress(address))) return;
    throw new OutboundError('wanted a public address, found one that is not');
  };
  const resolveChecked = async (hostname: string, options: LookupOptions) => {
    const addresses = await resolve(hostname, options);
    // Also one among others: which of them is connected to is not for the owner of the name to choose.
    for (const { address } of addresses) checkAddress(address);
    return addresses;
  };
  return {
    checkAddress,
    checkHost({ hostname }) {
      // A URL has made one form of all that an address can be written as, such as 0x7f.1 or 2130706433.
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0) checkAddress(host);
    },
    lookup(hostname, options, callback) {
      resolveChecked(hostname, options).then(
        addresses => {
          const [first] = addresses;
          if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
          else if (options.all) callback(null, [...addresses]);
          else callback(null, first.address, first.family);
        },
        error => callback(error, ''),
      );
    },
  };
}
