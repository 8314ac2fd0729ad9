import pg from 'pg';
import { InvalidArgumentError, messageOf } from '../../base/errors.ts';

/**
 * Checks the address of a database server, without asking the server.
 *
 * @throws InvalidArgumentError when it is none; the message holds neither user nor password
 */
export function checkDatabaseUrl(url: string): void {
  const wanted = 'database: wanted an address as postgres://USER:PASSWORD@HOST:5432/NAME';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new InvalidArgumentError(`${wanted}, found ${scheme ? `one of ${scheme}` : 'something else'}`);
  }
  try {
    // The driver's own reading of it; nothing is sent.
    new pg.Client({ connectionString: url });
  } catch (error) {
    throw new InvalidArgumentError(`${wanted}, found one that cannot be read: ${messageOf(error)}`);
  }
}
