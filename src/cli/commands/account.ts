import { Command, Option } from 'commander';
import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';
import { type AdminOptions, administered } from '../flags/adminOptions.ts';
import { integerFrom, number, orWord } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { AccountSettingsOptions } from './accountRun.ts';

/** `rxscribe account`: who may use a service, and how much of it. */
export function accountCommand(): Command {
  const account = new Command('account')
    .description('administer the accounts of a service')
    .addHelpText(
      'after',
      notes('The service is the one of the data directory, on this machine; or that of --url.'),
    );
  const commands = [createCommand(), listCommand(), creditCommand(), settingsCommand(), deleteCommand()];
  for (const command of commands) {
    account.addCommand(command);
  }
  return account.addCommand(tokenCommand());
}

function createCommand(): Command {
  return administered('create', 'make an account')
    .requiredOption('--email <address>', 'e-mail address of the account')
    .addOption(new Option('--credit <seconds>', 'seconds of audio').default(0).argParser(number(0)))
    .action(async (options: AdminOptions & { email: string; credit: number }) => {
      const { createAccount } = await import('./accountRun.ts');
      await createAccount(options);
    });
}

function listCommand(): Command {
  return administered('list', 'show all accounts').action(async (options: AdminOptions) => {
    const { listAccounts } = await import('./accountRun.ts');
    await listAccounts(options);
  });
}

function creditCommand(): Command {
  return administered('credit', 'add credit to an account')
    .argument('<account>', 'id or e-mail address')
    .argument('<seconds>', 'seconds of audio; below zero takes credit away', number(-1e12))
    .action(async (account: string, seconds: number, options: AdminOptions) => {
      const { addCredit } = await import('./accountRun.ts');
      await addCredit(account, seconds, options);
    });
}

function settingsCommand(): Command {
  const limit = (flag: string, description: string, read: (text: string) => number) =>
    new Option(`--${flag} <number>`, `${description}, or default`).argParser(orWord('default', read));
  return administered('settings', 'show or change the settings of an account')
    .argument('<account>', 'id or e-mail address')
    .option('--email <address>', 'e-mail address of the account')
    .addOption(
      new Option('--delete-after-seconds <number>', 'when later jobs are deleted, or none').argParser(
        orWord('none', integerFrom(0, MAX_DELETE_AFTER_SECONDS)),
      ),
    )
    .addOption(
      new Option(
        '--signing-secret <new|none>',
        'sign notifications; a new secret is shown this once',
      ).choices(['new', 'none']),
    )
    .optionsGroup(GROUP.limits)
    .addOption(limit('streams', 'streams at once', integerFrom(0, 10_000)))
    .addOption(limit('jobs-in-progress', 'jobs at once', integerFrom(0, 1_000_000)))
    .addOption(limit('requests-per-second', 'requests a second, in the long run', number(0.01)))
    .addOption(limit('request-burst', 'requests at once', integerFrom(1, 100_000)))
    .action(async (account: string, options: AccountSettingsOptions) => {
      const { accountSettings } = await import('./accountRun.ts');
      await accountSettings(account, options);
    });
}

function deleteCommand(): Command {
  return administered('delete', 'delete an account with its tokens, jobs and media')
    .argument('<account>', 'id or e-mail address')
    .option('--yes', 'it is meant: nothing of it can be had back')
    .action(async (account: string, options: AdminOptions & { yes?: boolean }) => {
      const { deleteAccount } = await import('./accountRun.ts');
      await deleteAccount(account, options);
    });
}

function tokenCommand(): Command {
  return new Command('token')
    .description('make, show and revoke the access tokens of an account')
    .addCommand(
      administered('create', 'make a token beside those that there are, and print it, this once')
        .argument('<account>', 'id or e-mail address')
        .optionsGroup(GROUP.token)
        .option('--name <name>', 'what to tell it by')
        .action(async (account: string, options: AdminOptions & { name?: string }) => {
          const { createToken } = await import('./accountTokenRun.ts');
          await createToken(account, options);
        }),
    )
    .addCommand(
      administered('list', 'show the tokens of an account, but not their text')
        .argument('<account>', 'id or e-mail address')
        .action(async (account: string, options: AdminOptions) => {
          const { listTokens } = await import('./accountTokenRun.ts');
          await listTokens(account, options);
        }),
    )
    .addCommand(
      administered('revoke', 'make a token worthless')
        .argument('<account>', 'id or e-mail address')
        .argument('<id>', 'id of the token')
        .action(async (account: string, id: string, options: AdminOptions) => {
          const { revokeToken } = await import('./accountTokenRun.ts');
          await revokeToken(account, id, options);
        }),
    );
}
