import { InvalidArgumentError } from '../../base/errors.ts';
import type { AccountRecordJson, SettingsChangeJson, SettingsJson } from '../../protocol/admin.ts';
import type { AdminOptions } from '../flags/adminOptions.ts';
import { type Column, printRecords } from '../print/records.ts';
import { type AdminAccess, adminCall } from '../service/adminCall.ts';

const PAGE = 1000;

const ACCOUNT_COLUMNS: readonly Column<AccountRecordJson>[] = [
  ['id', ({ id }) => id],
  ['e-mail', ({ email }) => email],
  ['balance (s)', account => account.balance_seconds],
  ['held (s)', account => account.reserved_seconds],
  ['created', account => account.created_on],
];

export async function createAccount({
  email,
  credit,
  ...options
}: AdminOptions & { readonly email: string; readonly credit: number }): Promise<void> {
  const account = await adminCall<AccountRecordJson>(options, {
    action: 'create account',
    method: 'POST',
    path: ['accounts'],
    body: { email, credit_seconds: credit },
  });
  printRecords([account], ACCOUNT_COLUMNS, options);
}

export async function listAccounts(options: AdminOptions): Promise<void> {
  const accounts: AccountRecordJson[] = [];
  for await (const page of accountPages(options)) accounts.push(...page);
  printRecords(accounts, ACCOUNT_COLUMNS, options);
}

async function* accountPages(access: AdminAccess): AsyncGenerator<readonly AccountRecordJson[]> {
  let after: string | undefined;
  for (;;) {
    const page: readonly AccountRecordJson[] = await adminCall(access, {
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

export async function deleteAccount(
  account: string,
  { yes, ...options }: AdminOptions & { readonly yes?: boolean },
): Promise<void> {
  if (!yes) {
    throw new InvalidArgumentError(
      `account delete: wanted --yes, which deletes ${account} with its tokens, jobs and media for good`,
    );
  }
  const call = { action: 'delete account', method: 'DELETE', path: ['accounts', account] } as const;
  // As long as its jobs take.
  await adminCall(options, { ...call, timeoutMs: Number.POSITIVE_INFINITY });
}

export async function addCredit(account: string, seconds: number, options: AdminOptions): Promise<void> {
  const changed = await adminCall<AccountRecordJson>(options, {
    action: 'add credit',
    method: 'POST',
    path: ['accounts', account, 'credit'],
    body: { seconds },
  });
  printRecords([changed], ACCOUNT_COLUMNS, options);
}

/** What is to be different. */
export interface AccountSettingsOptions extends AdminOptions {
  readonly email?: string;
  readonly deleteAfterSeconds?: number | 'none';
  readonly signingSecret?: 'new' | 'none';
  readonly streams?: number | 'default';
  readonly jobsInProgress?: number | 'default';
  readonly requestsPerSecond?: number | 'default';
  readonly requestBurst?: number | 'default';
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

/** Shows settings, after changing what is to be different. */
export async function accountSettings(account: string, options: AccountSettingsOptions): Promise<void> {
  const change = changeOf(options);
  const settings = await adminCall<SettingsJson>(options, {
    path: ['accounts', account, 'settings'],
    ...(change
      ? { action: 'change settings', method: 'PATCH', body: change }
      : { action: 'get settings', method: 'GET' }),
  });
  const secret: Column<SettingsJson> = ['signing secret', () => settings.signing_secret];
  printRecords([settings], [...SETTINGS_COLUMNS, ...(settings.signing_secret ? [secret] : [])], options);
}

function changeOf(options: AccountSettingsOptions): SettingsChangeJson | undefined {
  const limits = changed({
    streams: options.streams,
    jobs_in_progress: options.jobsInProgress,
    requests_per_second: options.requestsPerSecond,
    request_burst: options.requestBurst,
  });
  return changed({
    email: options.email,
    delete_after_seconds: options.deleteAfterSeconds,
    signing_secret: options.signingSecret,
    limits,
  });
}

type OrNull<T> = T extends 'none' | 'default' ? null : T;
type Changed<T> = { [Name in keyof T]: OrNull<T[Name]> };

/** What was given, with null for what is to be as for every account; undefined when nothing was. */
function changed<T extends object>(values: T): Changed<T> | undefined {
  const given = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value === 'none' || value === 'default' ? null : value]);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
