import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { NotFoundError } from '../../client/jobs/requestErrors.ts';
import type {
  AccountRecordJson,
  AccountRemovalJson,
  SettingsChangeJson,
  SettingsJson,
} from '../../protocol/admin.ts';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { type AdminFlags, adminCommand } from '../flags/adminOptions.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { integerFrom, numberFrom, orWord } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { type Column, printRecords } from '../print/table.ts';
import { tokenCommand } from './accountToken.ts';

/** Creates `rxscribe account`, which administers the accounts of a service. */
export function accountCommand(context: Context): Command {
  return new ContextCommand('account', context)
    .description('administer the accounts of a service')
    .addHelpText(
      'after',
      notes('The service is the one of the data directory on this machine, or the one at --url.'),
    )
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(creditCommand(context))
    .addCommand(settingsCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(tokenCommand(context));
}

const COLUMNS: readonly Column<AccountRecordJson>[] = [
  ['id', ({ id }) => id],
  ['e-mail', ({ email }) => email],
  ['balance (s)', account => account.balance_seconds],
  ['held (s)', account => account.reserved_seconds],
  ['created', account => account.created_on],
];

function createCommand(context: Context): Command {
  return adminCommand('create', 'create an account', context)
    .requiredOption('--email <address>', 'e-mail address of the account')
    .addOption(new Option('--credit <seconds>', 'seconds of audio').default(0).argParser(numberFrom(0)))
    .action(async ({ email, credit, ...flags }: AdminFlags & { email: string; credit: number }) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const account = await adminCall<AccountRecordJson>(flags, {
        action: 'create account',
        method: 'POST',
        path: ['accounts'],
        body: { email, credit_seconds: credit },
      });
      printRecords(context.stdout, [account], COLUMNS, flags);
    });
}

function listCommand(context: Context): Command {
  return adminCommand('list', 'list all accounts', context).action(async (flags: AdminFlags) => {
    const accounts: AccountRecordJson[] = [];
    for await (const page of accountPages(flags)) accounts.push(...page);
    printRecords(context.stdout, accounts, COLUMNS, flags);
  });
}

const PAGE = 1000;

async function* accountPages(flags: AdminFlags): AsyncGenerator<readonly AccountRecordJson[]> {
  const { adminCall } = await import('../service/adminCall.ts');
  let after: string | undefined;
  for (;;) {
    const page: readonly AccountRecordJson[] = await adminCall(flags, {
      action: 'list accounts',
      method: 'GET',
      path: ['accounts'],
      query: { limit: PAGE, ...(after !== undefined && { starting_after: after }) },
    });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.email;
  }
}

function creditCommand(context: Context): Command {
  return adminCommand('credit', 'add credit to an account', context)
    .argument('<account>', 'id or e-mail address')
    .argument('<seconds>', 'seconds of audio; a negative number removes credit', numberFrom(-1e12))
    .action(async (account: string, seconds: number, flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const changed = await adminCall<AccountRecordJson>(flags, {
        action: 'add credit',
        method: 'POST',
        path: ['accounts', account, 'credit'],
        body: { seconds },
      });
      printRecords(context.stdout, [changed], COLUMNS, flags);
    });
}

function deleteCommand(context: Context): Command {
  return adminCommand('delete', 'delete an account with its tokens, jobs and media', context)
    .argument('<account>', 'id or e-mail address')
    .option('--yes', 'confirm: the data of the account cannot be recovered')
    .action(async (account: string, { yes, ...flags }: AdminFlags & { yes?: boolean }) => {
      if (!yes) {
        throw new InvalidArgumentError(
          `This deletes '${account}' with its tokens, jobs and media for good. Add --yes to confirm.`,
        );
      }
      await deleteAccount(context, account, flags);
    });
}

/** Repeats the request, which is answered within seconds, until the account is gone. */
async function deleteAccount({ stderr }: Context, account: string, flags: AdminFlags): Promise<void> {
  const { adminCall } = await import('../service/adminCall.ts');
  const call = { action: 'delete account', method: 'DELETE', path: ['accounts', account] } as const;
  let left = await adminCall<AccountRemovalJson | undefined>(flags, call);
  while (left) {
    stderr.write(`Deleting: ${left.jobs} jobs are left.\n`);
    left = await adminCall<AccountRemovalJson | undefined>(flags, call).catch(error => {
      // It was deleted between two requests.
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    });
  }
}

/** Changes of settings; `none` and `default` reset a setting. */
interface SettingsFlags extends AdminFlags {
  readonly email?: string;
  readonly deleteAfterSeconds?: number | 'none';
  readonly signingSecret?: 'new' | 'none';
  readonly streams?: number | 'default';
  readonly jobsInProgress?: number | 'default';
  readonly requestsPerSecond?: number | 'default';
  readonly requestBurst?: number | 'default';
}

function settingsCommand(context: Context): Command {
  const limit = (flag: string, description: string, parse: (text: string) => number) =>
    new Option(`--${flag} <number>`, `${description}, or default`).argParser(orWord('default', parse));
  return adminCommand('settings', 'show or change the settings of an account', context)
    .argument('<account>', 'id or e-mail address')
    .option('--email <address>', 'e-mail address of the account')
    .addOption(
      new Option(
        '--delete-after-seconds <number>',
        'seconds until new jobs are deleted after their end, or none',
      ).argParser(orWord('none', integerFrom(0, MAX_DELETE_AFTER_SECONDS))),
    )
    .addOption(
      new Option(
        '--signing-secret <new|none>',
        'sign notifications; a new secret is shown only once',
      ).choices(['new', 'none']),
    )
    .optionsGroup(GROUP.limits)
    .addOption(limit('streams', 'streams at a time', integerFrom(0, 10_000)))
    .addOption(limit('jobs-in-progress', 'jobs at a time', integerFrom(0, 1_000_000)))
    .addOption(limit('requests-per-second', 'average requests per second', numberFrom(0.01)))
    .addOption(limit('request-burst', 'requests at a time', integerFrom(1, 100_000)))
    .action(async (account: string, flags: SettingsFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const change = changeOf(flags);
      const settings = await adminCall<SettingsJson>(flags, {
        path: ['accounts', account, 'settings'],
        ...(change
          ? { action: 'change settings', method: 'PATCH', body: change }
          : { action: 'get settings', method: 'GET' }),
      });
      printSettings(context, settings, flags);
    });
}

const SETTINGS_COLUMNS: readonly Column<SettingsJson>[] = [
  ['e-mail', ({ email }) => email],
  ['delete after (s)', settings => settings.delete_after_seconds],
  ['signed', settings => (settings.has_signing_secret ? 'yes' : 'no')],
  ['streams', ({ limits }) => limits.streams],
  ['jobs', ({ limits }) => limits.jobs_in_progress],
  ['requests/s', ({ limits }) => limits.requests_per_second],
  ['burst', ({ limits }) => limits.request_burst],
];

function printSettings({ stdout }: Context, settings: SettingsJson, flags: AdminFlags): void {
  const secret: Column<SettingsJson> = ['signing secret', () => settings.signing_secret];
  const columns = settings.signing_secret ? [...SETTINGS_COLUMNS, secret] : SETTINGS_COLUMNS;
  printRecords(stdout, [settings], columns, flags);
}

function changeOf(flags: SettingsFlags): SettingsChangeJson | undefined {
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
  const given = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value === 'none' || value === 'default' ? null : value]);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
