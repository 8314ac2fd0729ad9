import { printableJson } from '../../base/text.ts';
import type { TokenRecordJson } from '../../protocol/admin.ts';
import { ADMIN_EXIT_CODES, ADMIN_OPTIONS } from '../flags/adminOptions.ts';
import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import type { Column } from '../print/table.ts';
import { adminCommand } from './adminCommand.ts';

/** Argument that names an account. */
export const ACCOUNT = ['<account>', 'id or e-mail address'] as const;

const createCommand = defineCommand({
  name: 'create',
  description: 'create another token, and print it; it is shown only once',
  examples: ['rxscribe account token create alice@example.org --name laptop'],
  arguments: [ACCOUNT],
  options: [...ADMIN_OPTIONS, optionGroup('Token', { '--name <name>': 'name to recognise the token by' })],
  exitCodes: ADMIN_EXIT_CODES,
  async run({ args: [account], flags, context: { stdout, stderr } }) {
    const { adminCall } = await import('../service/adminCall.ts');
    const { name, json } = flags;
    const record = await adminCall<TokenRecordJson>(flags, {
      action: 'create token',
      path: ['accounts', account, 'tokens'],
      body: { name },
    });
    // The token stands alone, so that a shell can capture it.
    stdout.write(`${json ? printableJson(record) : record.token}\n`);
    if (stderr.isTTY) stderr.write(`Token ${record.id}. Its text is shown only once.\n`);
  },
});

const COLUMNS: readonly Column<TokenRecordJson>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['created', token => token.created_on],
  ['last used', token => token.last_used_on],
];

const listCommand = adminCommand({
  name: 'list',
  description: 'list the tokens of an account, without their text',
  examples: ['rxscribe account token list alice@example.org'],
  arguments: [ACCOUNT],
  call: ({ args: [account] }) => ({ action: 'list tokens', path: ['accounts', account, 'tokens'] }),
  columns: COLUMNS,
});

const revokeCommand = adminCommand({
  name: 'revoke',
  description: 'revoke a token for good',
  examples: ['rxscribe account token revoke alice@example.org Hb3kT0cVt9Qx4E'],
  arguments: [ACCOUNT, ['<id>', 'id of the token']],
  call: ({ args: [account, id] }) => ({
    action: 'revoke token',
    method: 'DELETE',
    path: ['accounts', account, 'tokens', id],
  }),
});

/** `rxscribe account token`, which administers the access tokens of an account. */
export const tokenCommand = defineCommands({
  name: 'token',
  description: 'create, list and revoke the access tokens of an account',
  examples: ['rxscribe account token create alice@example.org'],
  commands: [createCommand, listCommand, revokeCommand],
});
