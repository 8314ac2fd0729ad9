import { networkInterfaces } from 'node:os';
import { refuseIf } from '../../../base/errors.ts';
import { authority } from '../../../web/listen.ts';

/**
 * Returns the address to listen on of `PORT` or `HOST:PORT`.
 *
 * @throws InvalidArgumentError for anything else
 * @example
 * pageAddress('0.0.0.0:8080'); // { host: '0.0.0.0', port: 8080 }
 */
export function pageAddress(text: string): { readonly port: number; readonly host?: string } {
  const [, host, digits] = /^(?:(\[[\da-fA-F:.]+\]|[\w.-]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  refuseIf(
    digits === undefined || port > 65_535,
    `The address '${text}' of the page is not valid. Give a port such as 8080, or a host and port such as 0.0.0.0:8080.`,
  );
  return host === undefined ? { port } : { port, host: host.replace(/^\[|\]$/g, '') };
}

/** Names that the server uses itself, or that callers give to routes. */
const RESERVED = ['assets', 'events', 'health', 'metrics', 'operator'];

/**
 * Checks the name of a text on the page.
 *
 * @throws InvalidArgumentError for a name that cannot be part of an address, that the page uses itself, or that another text has
 */
export function requirePageName(name: string, others: readonly string[]): void {
  refuseIf(
    name !== '' && !/^[A-Za-z0-9][\w.-]{0,63}$/.test(name),
    `The name '${name}' cannot be part of an address. Use letters, digits, '.', '_' and '-'.`,
  );
  const isTaken = RESERVED.includes(name) || others.includes(name);
  refuseIf(isTaken, `The page has the name '${name}' already. Choose another one.`);
}

/** Returns the address of a server for people: that of the computer in its network when it listens on all addresses. */
export function pageUrl(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const all = isAny ? Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []) : [];
  const outside = all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  return `http://${authority({ host: isAny ? (outside ?? '127.0.0.1') : host, port })}/`;
}
