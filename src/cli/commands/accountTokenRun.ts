import type { TokenRecordJson } from '../../protocol/admin.ts';
import type { AdminOptions } from '../flags/adminOptions.ts';
import { type Column, printRecords } from '../print/records.ts';
import { adminCall } from '../service/adminCall.ts';

const TOKEN_COLUMNS: readonly Column<TokenRecordJson>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['created', token => token.created_on],
  ['last used', token => token.last_used_on],
];

/** Makes a token and prints it alone, so that a shell can take it; with `json`, in its record. */
export async function createToken(
  account: string,
  { name, ...options }: AdminOptions & { readonly name?: string },
): Promise<void> {
  const record = await adminCall<TokenRecordJson>(options, {
    action: 'create token',
    method: 'POST',
    path: ['accounts', account, 'tokens'],
    body: { ...(name !== undefined && { name }) },
  });
  process.stdout.write(`${options.json ? JSON.stringify(record) : record.token}\n`);
  if (process.stderr.isTTY) process.stderr.write(`token ${record.id}; its text is shown this once\n`);
}

export async function listTokens(account: string, options: AdminOptions): Promise<void> {
  const tokens = await adminCall<readonly TokenRecordJson[]>(options, {
    action: 'list tokens',
    method: 'GET',
    path: ['accounts', account, 'tokens'],
  });
  printRecords(tokens, TOKEN_COLUMNS, options);
}

export async function revokeToken(account: string, id: string, options: AdminOptions): Promise<void> {
  await adminCall(options, {
    action: 'revoke token',
    method: 'DELETE',
    path: ['accounts', account, 'tokens', id],
  });
}
