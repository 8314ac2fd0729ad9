import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../base/errors.ts';
import type { AdminAccess } from './adminCall.ts';
import { defaultDataDirectory } from './dataDirectory.ts';
import { notes } from './help/format.ts';
import { isGiven } from './serviceOptions.ts';

/** What every command of an operator takes. */
export interface AdminOptions extends AdminAccess {
  readonly json?: boolean;
}

/** A command of an operator. */
export function administered(name: string, description: string): Command {
  const command = new Command(name);
  return command
    .description(description)
    .addOption(
      new Option('--data <directory>', 'data directory of a service on this machine')
        .env('RXSCRIBE_DATA')
        .default(defaultDataDirectory()),
    )
    .option('--url <url>', 'a service over the network instead, with its admin token')
    .addOption(new Option('--admin-token <token>', 'for --url').env('RXSCRIBE_ADMIN_TOKEN'))
    .hook('preAction', () => {
      if (!isGiven(command, 'adminToken') || command.getOptionValue('url')) return;
      throw new InvalidArgumentError(`${name}: --admin-token goes with --url`);
    })
    .option('--json', 'print one JSON object a line, also in a terminal')
    .addHelpText('after', notes('Exit codes: 0 done, 2 wrong usage, 4 no service there, 5 refused.'));
}
