import { InvalidArgumentError } from '../base/errors.ts';

/** The word that names a service inside this process. */
const EMBEDDED = 'embedded';

/** A service to compare, as the command line names it. */
export type BenchedService = { readonly name: string } & (
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
 * @throws InvalidArgumentError when tokens or names are not as many, or two have one name
 */
export function benchedServices(
  { url = [EMBEDDED], token, name }: BenchedServiceFlags,
  sharedToken: string | undefined,
): readonly BenchedService[] {
  const addresses = url.filter(each => each !== EMBEDDED);
  const tokens = token ?? (sharedToken ? addresses.map(() => sharedToken) : []);
  expectAsMany(addresses.length, tokens.length, 'access tokens (--token, or RXSCRIBE_TOKEN)', 'addresses');
  if (name) expectAsMany(url.length, name.length, 'names (--name)', 'services');
  const names = name ?? url.map(nameOf);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`bench: ${twice} is named twice; give each service its --name`);
  }
  let next = 0;
  return url.map((each, index) => {
    if (each === EMBEDDED) return { kind: 'embedded', name: names[index]! };
    return { kind: 'address', name: names[index]!, url: each, token: tokens[next++]! };
  });
}

function expectAsMany(wanted: number, found: number, what: string, of: string): void {
  if (wanted === found) return;
  throw new InvalidArgumentError(`bench: wanted as many ${what} as ${of}: ${wanted}, found ${found}`);
}

/** Host, port and path, so never what is secret in an address. */
function nameOf(url: string): string {
  if (url === EMBEDDED) return EMBEDDED;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address?.host) throw new InvalidArgumentError('bench: --url: wanted an address, found none');
  return address.host + address.pathname.replace(/\/$/, '');
}
