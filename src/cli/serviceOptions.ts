import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../base/errors.ts';
import { DEFAULT_BRAND } from '../protocol/brand.ts';

/** Which service a command uses. */
export interface ServiceFlags {
  /** With its token; without it, a service inside this process is used. */
  readonly url?: string;
  readonly token?: string;
  readonly brand: string;
}

/** The options of every command that uses a service. */
export function addServiceOptions(command: Command, { needsUrl = false } = {}): Command {
  const description = needsUrl ? 'service to use' : 'service to use (default: one of its own)';
  return command
    .addOption(new Option('--url <url>', description).env('RXSCRIBE_URL'))
    .addOption(new Option('--token <token>', 'access token for --url').env('RXSCRIBE_TOKEN'))
    .addOption(
      new Option('--brand <word>', "the word in the service's media types")
        .env('RXSCRIBE_BRAND')
        .default(DEFAULT_BRAND),
    );
}

/** @throws InvalidArgumentError when an address has no token */
export function checkServiceFlags({ url, token }: ServiceFlags, command: string): void {
  if (url && !token) {
    throw new InvalidArgumentError(`${command}: --url needs --token (or RXSCRIBE_TOKEN)`);
  }
}

/** @throws InvalidArgumentError without an address: a service of one's own is gone when the command ends */
export function requireUrl({ url, token }: ServiceFlags, command: string): void {
  if (!url || !token) {
    throw new InvalidArgumentError(
      `${command}: needs --url and --token (or RXSCRIBE_URL and RXSCRIBE_TOKEN)`,
    );
  }
}
