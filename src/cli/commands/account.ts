import { defined } from '../../base/defined.ts';
import { refuseIf } from '../../base/errors.ts';
import { NotFoundError } from '../../client/jobs/requestErrors.ts';
import type {
  AccountRecordJson,
  AccountRemovalJson,
  SettingsChangeJson,
  SettingsJson,
} from '../../protocol/admin.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { ADMIN_EXIT_CODES, ADMIN_OPTIONS, type AdminFlags } from '../flags/adminOptions.ts';
import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { type FlagsOf, optionGroup } from '../flags/optionGroup.ts';
import { integerFrom, numberFrom, orWord } from '../flags/optionValues.ts';
import { type Column, printRecords } from '../print/table.ts';
import { ACCOUNT, tokenCommand } from './accountToken.ts';
import { adminCommand } from './adminCommand.ts';

const COLUMNS: readonly Column<AccountRecordJson>[] = [
  ['id', ({ id }) => id],
  ['e-mail', ({ email }) => email],
  ['balance (s)', account => account.balance_seconds],
  ['held (s)', account => account.reserved_seconds],
  ['created', account => account.created_on],
];

const createCommand = adminCommand({
  name: 'create',
  description: 'create an account',
  examples: ['rxscribe account create --email alice@example.org --credit 3600'],
  options: [
    optionGroup('Account', {
      '--email <address>': { help: 'e-mail address of the account', required: true },
      '--credit <seconds>': { help: 'seconds of audio', parse: numberFrom(0), default: 0 },
    }),
  ],
  call: ({ flags: { email, credit } }) => ({
    action: 'create account',
    path: ['accounts'],
    body: { email, credit_seconds: credit },
  }),
  columns: COLUMNS,
});

const listCommand = defineCommand({
  name: 'list',
  description: 'list all accounts',
  examples: ['rxscribe account list --data ./data'],
  options: ADMIN_OPTIONS,
  exitCodes: ADMIN_EXIT_CODES,
  run: async ({ flags, context }) => printRecords(context.stdout, await readAccounts(flags), COLUMNS, flags),
});

const PAGE = 1000;

/** Resolves with all accounts, which are read page by page. */
async function readAccounts(flags: AdminFlags): Promise<readonly AccountRecordJson[]> {
  const { adminCall } = await import('../service/adminCall.ts');
  const call = { action: 'list accounts', path: ['accounts'] } as const;
  const accounts: AccountRecordJson[] = [];
  let page: readonly AccountRecordJson[];
  do {
    const query = { limit: PAGE, starting_after: accounts.at(-1)?.email };
    page = await adminCall(flags, { ...call, query });
    accounts.push(...page);
  } while (page.length === PAGE);
  return accounts;
}

const creditCommand = adminCommand({
  name: 'credit',
  description: 'add credit to an account',
  examples: ['rxscribe account credit alice@example.org 3600'],
  arguments: [
    ACCOUNT,
    ['<seconds>', { help: 'seconds of audio; a negative number removes credit', parse: numberFrom(-1e12) }],
  ],
  call: ({ args: [account, seconds] }) => ({
    action: 'add credit',
    path: ['accounts', account, 'credit'],
    body: { seconds },
  }),
  columns: COLUMNS,
});

const deleteCommand = defineCommand({
  name: 'delete',
  description: 'delete an account with its tokens, jobs and media',
  examples: ['rxscribe account delete alice@example.org --yes'],
  arguments: [ACCOUNT],
  options: [
    ...ADMIN_OPTIONS,
    optionGroup('Account', { '--yes': 'confirm: the data of the account cannot be recovered' }),
  ],
  exitCodes: ADMIN_EXIT_CODES,
  async run({ args: [account], flags, context }) {
    const warning = `This deletes '${account}' with its tokens, jobs and media for good. Add --yes to confirm.`;
    refuseIf(!flags.yes, warning);
    await deleteAccount(context, account, flags);
  },
});

/** Repeats the request until the account is gone. Each request is answered within seconds. */
async function deleteAccount({ stderr }: Context, account: string, flags: AdminFlags): Promise<void> {
  const { adminCall } = await import('../service/adminCall.ts');
  const call = { action: 'delete account', method: 'DELETE', path: ['accounts', account] } as const;
  let left = await adminCall<AccountRemovalJson | undefined>(flags, call);
  while (left) {
    stderr.write(`Deleting: ${left.jobs} jobs are left.\n`);
    left = await adminCall<AccountRemovalJson | undefined>(flags, call).catch(error => {
      // The account was deleted between two requests.
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    });
  }
}

const limit = <Parse extends (text: string) => number>(help: string, parse: Parse) => ({
  help: `${help}, or default`,
  parse: orWord('default', parse),
});

/** Changes of settings; `none` and `default` reset a setting. */
const SETTINGS_OPTIONS = [
  optionGroup('Account', {
    '--email <address>': 'e-mail address of the account',
    '--delete-after-seconds <number>': {
      help: 'seconds until new jobs are deleted after their end, or none',
      parse: orWord('none', integerFrom(0, MAX_DELETE_AFTER_SECONDS)),
    },
    '--signing-secret <new|none>': {
      help: 'sign notifications; a new secret is shown only once',
      choices: ['new', 'none'],
    },
  }),
  optionGroup('Limits', {
    '--streams <number>': limit('streams at a time', integerFrom(0, 10_000)),
    '--jobs-in-progress <number>': limit('jobs at a time', integerFrom(0, 1_000_000)),
    '--requests-per-second <number>': limit('average requests per second', numberFrom(0.01)),
    '--request-burst <number>': limit('requests at a time', integerFrom(1, 100_000)),
  }),
] as const;

const SETTINGS_COLUMNS: readonly Column<SettingsJson>[] = [
  ['e-mail', ({ email }) => email],
  ['delete after (s)', settings => settings.delete_after_seconds],
  ['signed', settings => (settings.has_signing_secret ? 'yes' : 'no')],
  ['streams', ({ limits }) => limits.streams],
  ['jobs', ({ limits }) => limits.jobs_in_progress],
  ['requests/s', ({ limits }) => limits.requests_per_second],
  ['burst', ({ limits }) => limits.request_burst],
];

const SECRET_COLUMN: Column<SettingsJson> = ['signing secret', settings => settings.signing_secret];

const settingsCommand = adminCommand({
  name: 'settings',
  description: 'show or change the settings of an account',
  examples: ['rxscribe account settings alice@example.org --delete-after-seconds 86400'],
  arguments: [ACCOUNT],
  options: SETTINGS_OPTIONS,
  call({ args: [account], flags }) {
    const path = ['accounts', account, 'settings'];
    const change = changeOf(flags);
    return change
      ? { action: 'change settings', method: 'PATCH', path, body: change }
      : { action: 'get settings', path };
  },
  columns: ({ signingSecret }) =>
    signingSecret === 'new' ? [...SETTINGS_COLUMNS, SECRET_COLUMN] : SETTINGS_COLUMNS,
});

function changeOf(flags: FlagsOf<typeof SETTINGS_OPTIONS>): SettingsChangeJson | undefined {
  const limits = changed({
    streams: flags.streams,
    jobs_in_progress: flags.jobsInProgress,
    requests_per_second: flags.requestsPerSecond,
    request_burst: flags.requestBurst,
  });
  return changed({
    email: flags.email,
    delete_after_seconds: flags.deleteAfterSeconds,
    signing_secret: flags.signingSecret,
    limits,
  });
}

type OrNull<T> = T extends 'none' | 'default' ? null : T;
type Changed<T> = { [Name in keyof T]: OrNull<T[Name]> };

/** Returns the given values, with null for a setting that is reset; undefined when none is given. */
function changed<T extends object>(values: T): Changed<T> | undefined {
  const given = Object.entries(defined(values)).map(([name, value]) => {
    return [name, value === 'none' || value === 'default' ? null : value];
  });
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** `rxscribe account`, which administers the accounts of a service. */
export const accountCommand = defineCommands({
  name: 'account',
  description: 'administer the accounts of a service',
  examples: ['rxscribe account create --email alice@example.org --credit 3600'],
  notes: 'The service is the one of the data directory on this machine, or the one at --url.',
  commands: [createCommand, listCommand, creditCommand, settingsCommand, deleteCommand, tokenCommand],
});
