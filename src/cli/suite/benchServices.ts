import { refuseIf } from '../../base/errors.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import type { BenchFlags } from '../flags/benchOptions.ts';

/** Value of `--url` for a service inside this process. */
const EMBEDDED = 'embedded';

/** A service to compare. */
export type BenchedService = { readonly name: string; readonly shownAs: string } & (
  | { readonly kind: 'embedded' }
  | { readonly kind: 'address'; readonly url: string; readonly token: string }
);

/**
 * Pairs each address with the token and the name in the same place; embedded services have no token.
 *
 * @param sharedToken token of all addresses, used when no token is given and all have one origin
 * @throws InvalidArgumentError when the numbers of tokens or names differ, the shared token would reach several origins, two
 *   names are equal, or an address is invalid
 */
export function benchedServices(
  { url: urls = [EMBEDDED], token, name }: Partial<Pick<BenchFlags, 'url' | 'token' | 'name'>>,
  sharedToken: string | undefined,
): readonly BenchedService[] {
  const addresses = urls.filter(url => url !== EMBEDDED);
  const tokens = token ?? sharedTokens(addresses, sharedToken);
  expectSame('--token (or RXSCRIBE_TOKEN) for each address', {
    addresses: addresses.length,
    tokens: tokens.length,
  });
  if (name) expectSame('--name for each service', { services: urls.length, names: name.length });
  const names = name ?? urls.map(nameOf);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  refuseIf(twice !== undefined, `Two services have the name '${twice}'. Give each its own --name.`);
  const unused = tokens.values();
  return urls.map((url, index) => {
    const shared = { name: names[index]!, shownAs: shownAs(url) };
    if (url === EMBEDDED) return { kind: 'embedded', ...shared };
    return { kind: 'address', ...shared, url, token: unused.next().value! };
  });
}

/** @throws InvalidArgumentError for several origins: no service may get the token of another one */
function sharedTokens(addresses: readonly string[], token: string | undefined): readonly string[] {
  if (!token) return [];
  const origins = new Set(addresses.map(url => serviceAddress(url, 'ws').origin));
  refuseIf(origins.size > 1, 'RXSCRIBE_TOKEN is sent to one service only. Give a --token for each --url.');
  return addresses.map(() => token);
}

/** @throws InvalidArgumentError when the counts differ */
function expectSame(wanted: string, counts: Readonly<Record<string, number>>): void {
  const found = Object.entries(counts).map(([things, count]) => `${things}: ${count}`);
  refuseIf(new Set(Object.values(counts)).size > 1, `Give one ${wanted} (${found.join(', ')}).`);
}

function shownAs(url: string): string {
  return url === EMBEDDED ? EMBEDDED : publicAddress(serviceAddress(url, 'ws')).replace(/\/$/, '');
}

function nameOf(url: string): string {
  return shownAs(url).replace(/^wss?:\/\//, '');
}
