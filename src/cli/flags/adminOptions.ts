import envPaths from 'env-paths';
import { refuseIf } from '../../base/errors.ts';
import { isGiven } from './contextCommand.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { COMMAND_LINE_NOTE, serviceUrl } from './optionValues.ts';

/** Returns the data directory of a service, unless its operator chooses another one. */
export function defaultDataDirectory(): string {
  return envPaths('rxscribe', { suffix: '' }).data;
}

const ACCESS = optionGroup(
  'Service',
  {
    '--data <directory>': {
      help: 'data directory of a service on this machine',
      env: 'RXSCRIBE_DATA',
      default: defaultDataDirectory(),
    },
    '--url <url>': {
      help: 'service over the network to use instead; requires --admin-token',
      parse: serviceUrl,
    },
    '--admin-token <token>': {
      help: `admin token for --url; ${COMMAND_LINE_NOTE}`,
      env: 'RXSCRIBE_ADMIN_TOKEN',
    },
  },
  ({ url }, command) => refuseIf(isGiven(command, 'adminToken') && !url, '--admin-token requires --url.'),
);

/** Options of every command of an operator. */
export const ADMIN_OPTIONS = [
  ACCESS,
  optionGroup('Output', { '--json': 'print one JSON object a line, also in a terminal' }),
] as const;

/** The service that an operator administers. */
export type AdminAccess = FlagsOf<typeof ACCESS>;

/** Flags of every command of an operator. */
export type AdminFlags = FlagsOf<typeof ADMIN_OPTIONS>;

/** Exit codes of a command of an operator. */
export const ADMIN_EXIT_CODES = 'Exit codes: 0 done, 2 wrong usage, 4 service unreachable, 5 refused.';
