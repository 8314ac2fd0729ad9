import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { OutboundError } from './outboundError.ts';
import { isPublicAddress, mayBePublic } from './publicAddress.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string, options: LookupOptions) => Promise<readonly LookupAddress[]>;

export interface AddressGuardOptions {
  /** Allows all addresses, for networks with private receivers and media. Default false. */
  readonly allowPrivate?: boolean;
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve;
}

/**
 * Decides which addresses the service may connect to on behalf of its users, who could otherwise reach its private network.
 * Names are checked while connecting, by the addresses of that connection: a name that resolves to a public address first and
 * to a private one later gains nothing.
 */
export type AddressGuard = ReturnType<typeof createAddressGuard>;

const resolveBySystem: Resolve = (hostname, options) => systemLookup(hostname, { ...options, all: true });

const notPublic = () => new OutboundError('its address is not public');

/** Creates a guard. */
export function createAddressGuard(options: AddressGuardOptions = {}) {
  const { allowPrivate = false, resolve = resolveBySystem } = options;
  const checkAddress = (address: string | undefined) => {
    if (allowPrivate || (address !== undefined && isPublicAddress(address))) return;
    throw notPublic();
  };
  const resolveChecked = async (hostname: string, options: LookupOptions) => {
    const addresses = await resolve(hostname, options);
    // All addresses are checked: the owner of the name must not choose which one is used.
    for (const { address } of addresses) checkAddress(address);
    return addresses;
  };
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolveChecked(hostname, options).then(
      addresses => {
        const [first] = addresses;
        if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      error => callback(error, ''),
    );
  };
  return {
    /** Checks the remote address of an open connection. @throws OutboundError when it is not public */
    checkAddress,
    /**
     * Checks a host given as an address, for which `lookup` is not called, or by a name of a private network.
     *
     * @throws OutboundError when the host is not public
     */
    checkHost(url: URL): void {
      if (!allowPrivate && !mayBePublic(url)) throw notPublic();
    },
    /** Resolves a name for `node:net`; fails when any of its addresses is not public. */
    lookup,
  };
}
