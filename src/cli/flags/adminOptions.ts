import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { AdminAccess } from '../service/adminCall.ts';
import { defaultDataDirectory } from './dataDirectory.ts';
import { isGiven } from './serviceOptions.ts';

/** What every command of an operator takes. */
export interface AdminOptions extends AdminAccess {
  readonly json?: boolean;
}

/** A command of an operator; its own options are those of an account, unless it begins another group. */
export function administered(name: string, description: string): Command {
  const command = new Command(name);
  return command
    .description(description)
    .optionsGroup(GROUP.service)
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
    .optionsGroup(GROUP.output)
    .option('--json', 'print one JSON object a line, also in a terminal')
    .optionsGroup(GROUP.account)
    .addHelpText('after', notes('Exit codes: 0 done, 2 wrong usage, 4 no service there, 5 refused.'));
}
