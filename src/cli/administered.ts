import { Command, Option } from 'commander';
import type { AdminAccess } from './adminCall.ts';
import { defaultDataDirectory } from './dataDirectory.ts';

/** What every command of an operator takes. */
export interface AdminOptions extends AdminAccess {
  readonly json?: boolean;
}

/** A command of an operator. */
export function administered(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--data <directory>', 'data directory of a service on this machine')
        .env('RXSCRIBE_DATA')
        .default(defaultDataDirectory()),
    )
    .option('--url <url>', 'a service over the network instead, with its admin token')
    .addOption(new Option('--admin-token <token>', 'for --url').env('RXSCRIBE_ADMIN_TOKEN'))
    .option('--json', 'print one JSON object a line, also in a terminal')
    .addHelpText('after', '\nExit codes: 0 done, 2 wrong usage, 4 no service there, 5 refused.');
}
