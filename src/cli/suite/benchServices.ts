import { InvalidArgumentError } from '../../base/errors.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';

/** Value of `--url` for a service inside this process. */
const EMBEDDED = 'embedded';

/** A service to compare. */
export type BenchedService = { readonly name: string; readonly shownAs: string } & (
  | { readonly kind: 'embedded' }
  | { readonly kind: 'address'; readonly url: string; readonly token: string }
);

export interface BenchedServiceFlags {
  readonly url?: readonly string[];
  readonly token?: readonly string[];
  readonly name?: readonly string[];
}

/**
 * Pairs each address with the token and the name in the same place; embedded services have no token.
 *
 * @param sharedToken token of all addresses, used when no token is given
 * @throws InvalidArgumentError when the numbers of tokens or names differ, two names are equal, or an address is invalid
 */
export function benchedServices(
  { url: urls = [EMBEDDED], token, name }: BenchedServiceFlags,
  sharedToken: string | undefined,
): readonly BenchedService[] {
  const addresses = urls.filter(url => url !== EMBEDDED);
  const tokens = token ?? (sharedToken ? addresses.map(() => sharedToken) : []);
  expectAsMany(tokens.length, addresses.length, '--token (or RXSCRIBE_TOKEN)', 'address');
  if (name) expectAsMany(name.length, urls.length, '--name', 'service');
  const names = name ?? urls.map(nameOf);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`Two services have the name '${twice}'. Give each its own --name.`);
  }
  const unused = tokens.values();
  return urls.map((url, index) => {
    const shared = { name: names[index]!, shownAs: shownAs(url) };
    if (url === EMBEDDED) return { kind: 'embedded', ...shared };
    return { kind: 'address', ...shared, url, token: unused.next().value! };
  });
}

function expectAsMany(found: number, wanted: number, option: string, each: string): void {
  if (wanted === found) return;
  throw new InvalidArgumentError(`Give one ${option} for each ${each}: ${wanted}, not ${found}.`);
}

function shownAs(url: string): string {
  return url === EMBEDDED ? EMBEDDED : publicAddress(serviceAddress(url, 'ws')).replace(/\/$/, '');
}

function nameOf(url: string): string {
  return shownAs(url).replace(/^wss?:\/\//, '');
}
