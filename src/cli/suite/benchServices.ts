import { InvalidArgumentError } from '../../base/errors.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';

/** The word that names a service inside this process. */
const EMBEDDED = 'embedded';

/** A service to compare, as the command line names it. */
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
 * Addresses with the token and the name that come in the same place; embedded services have no token.
 *
 * @param sharedToken of all addresses, where no token is given
 * @throws InvalidArgumentError when tokens or names are not as many, two have one name, or an address is none
 */
export function benchedServices(
  { url: urls = [EMBEDDED], token, name }: BenchedServiceFlags,
  sharedToken: string | undefined,
): readonly BenchedService[] {
  const addresses = urls.filter(url => url !== EMBEDDED);
  const tokens = token ?? (sharedToken ? addresses.map(() => sharedToken) : []);
  expectAsMany(addresses.length, tokens.length, 'access tokens (--token, or RXSCRIBE_TOKEN)', 'addresses');
  if (name) expectAsMany(urls.length, name.length, 'names (--name)', 'services');
  const names = name ?? urls.map(nameOf);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`bench: ${twice} is named twice; give each service its --name`);
  }
  const unused = tokens.values();
  return urls.map((url, index) => {
    const shared = { name: names[index]!, shownAs: shownAs(url) };
    if (url === EMBEDDED) return { kind: 'embedded', ...shared };
    return { kind: 'address', ...shared, url, token: unused.next().value! };
  });
}

function expectAsMany(wanted: number, found: number, what: string, of: string): void {
  if (wanted === found) return;
  throw new InvalidArgumentError(`bench: wanted as many ${what} as ${of}: ${wanted}, found ${found}`);
}

function shownAs(url: string): string {
  return url === EMBEDDED ? EMBEDDED : publicAddress(serviceAddress(url, 'ws')).replace(/\/$/, '');
}

function nameOf(url: string): string {
  return shownAs(url).replace(/^wss?:\/\//, '');
}
