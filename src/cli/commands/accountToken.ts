import type { Command } from 'commander';
import { printableJson } from '../../base/text.ts';
import type { TokenRecordJson } from '../../protocol/admin.ts';
import type { Context } from '../context.ts';
import { type AdminFlags, adminCommand } from '../flags/adminOptions.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { GROUP } from '../help/groups.ts';
import { type Column, printRecords } from '../print/table.ts';

/** Creates `rxscribe account token`, which administers the access tokens of an account. */
export function tokenCommand(context: Context): Command {
  return new ContextCommand('token', context)
    .description('create, list and revoke the access tokens of an account')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: Context): Command {
  return adminCommand('create', 'create another token, and print it; it is shown only once', context)
    .argument('<account>', 'id or e-mail address')
    .optionsGroup(GROUP.token)
    .option('--name <name>', 'name to recognise the token by')
    .action(async (account: string, { name, ...flags }: AdminFlags & { name?: string }) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const record = await adminCall<TokenRecordJson>(flags, {
        action: 'create token',
        method: 'POST',
        path: ['accounts', account, 'tokens'],
        body: { ...(name !== undefined && { name }) },
      });
      // The token stands alone, so that a shell can capture it.
      context.stdout.write(`${flags.json ? printableJson(record) : record.token}\n`);
      if (context.stderr.isTTY) context.stderr.write(`Token ${record.id}. Its text is shown only once.\n`);
    });
}

const COLUMNS: readonly Column<TokenRecordJson>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['created', token => token.created_on],
  ['last used', token => token.last_used_on],
];

function listCommand(context: Context): Command {
  return adminCommand('list', 'list the tokens of an account, without their text', context)
    .argument('<account>', 'id or e-mail address')
    .action(async (account: string, flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const tokens = await adminCall<readonly TokenRecordJson[]>(flags, {
        action: 'list tokens',
        method: 'GET',
        path: ['accounts', account, 'tokens'],
      });
      printRecords(context.stdout, tokens, COLUMNS, flags);
    });
}

function revokeCommand(context: Context): Command {
  return adminCommand('revoke', 'revoke a token for good', context)
    .argument('<account>', 'id or e-mail address')
    .argument('<id>', 'id of the token')
    .action(async (account: string, id: string, flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      await adminCall(flags, {
        action: 'revoke token',
        method: 'DELETE',
        path: ['accounts', account, 'tokens', id],
      });
    });
}
