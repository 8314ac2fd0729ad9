import { type Command, Option } from 'commander';
import envPaths from 'env-paths';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Context } from '../context.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { ContextCommand, isGiven } from './contextCommand.ts';
import { COMMAND_LINE_NOTE, serviceUrl } from './optionValues.ts';

/** The service that an operator administers. */
export interface AdminAccess {
  /** Data directory of a service on this machine. */
  readonly data: string;
  /** Service over the network, in place of `data`. */
  readonly url?: string;
  readonly adminToken?: string;
}

export interface AdminFlags extends AdminAccess {
  readonly json?: boolean;
}

/** Returns the data directory of a service, unless its operator chooses another one. */
export function defaultDataDirectory(): string {
  return envPaths('rxscribe', { suffix: '' }).data;
}

const ADMIN_EXIT_CODES = 'Exit codes: 0 done, 2 wrong usage, 4 service unreachable, 5 refused.';

/** Creates a command of an operator; options that are added to it are in the group of accounts, unless it begins another. */
export function adminCommand(
  name: string,
  description: string,
  context: Context,
  exitCodes = ADMIN_EXIT_CODES,
): Command {
  const command = new ContextCommand(name, context);
  return command
    .description(description)
    .optionsGroup(GROUP.service)
    .addOption(
      new Option('--data <directory>', 'data directory of a service on this machine')
        .env('RXSCRIBE_DATA')
        .default(defaultDataDirectory()),
    )
    .option('--url <url>', 'service over the network to use instead; requires --admin-token', serviceUrl)
    .addOption(
      new Option('--admin-token <token>', `admin token for --url; ${COMMAND_LINE_NOTE}`).env(
        'RXSCRIBE_ADMIN_TOKEN',
      ),
    )
    .hook('preAction', () => {
      if (!isGiven(command, 'adminToken') || command.getOptionValue('url')) return;
      throw new InvalidArgumentError('--admin-token requires --url.');
    })
    .optionsGroup(GROUP.output)
    .option('--json', 'print one JSON object a line, also in a terminal')
    .optionsGroup(GROUP.account)
    .addHelpText('after', notes(exitCodes));
}
