import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addStoreOptions, type StoreFlags } from '../flags/storeOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { loadLocal } from '../loadLocal.ts';

/** Creates `rxscribe export`, which writes the data of a service to a directory or a tar archive. */
export function exportCommand(context: Context): Command {
  const command = new ContextCommand('export', context)
    .description('write all data of a service to a new directory, or as a tar archive to standard output')
    .argument('<dir|->', 'new directory, or - for standard output')
    .addHelpText('after', notes(EXPORT_NOTES))
    .optionsGroup(GROUP.storage);
  return addStoreOptions(command).action(async (target: string, flags: StoreFlags) => {
    const { runExport } = await loadLocal('transferRun');
    await runExport(context, target, flags);
  });
}

const EXPORT_NOTES = `
A service with an embedded database must be stopped first; those with a database server may go on.
An export has the secrets of accounts, and is readable for this user only.

Exit codes: 0 done, 2 wrong usage, 3 the directory cannot be written, 4 the data are in use or cannot be reached, 130
interrupted.`;

/** Creates `rxscribe import`, which fills a new store with an export. */
export function importCommand(context: Context): Command {
  const command = new ContextCommand('import', context)
    .description(
      'fill the empty store of a service with an export; jobs in progress run again when it starts',
    )
    .argument('<dir|->', 'directory of an export, or - for a tar archive on standard input')
    .addHelpText('after', notes(IMPORT_NOTES))
    .optionsGroup(GROUP.storage);
  return addStoreOptions(command).action(async (source: string, flags: StoreFlags) => {
    const { runImport } = await loadLocal('transferRun');
    await runImport(context, source, flags);
  });
}

const IMPORT_NOTES = `
The store must be empty, or just created by a first start, and no service may use it.
No service opens a store whose import was interrupted: run the import again.

Exit codes: 0 done, 2 wrong usage, 3 the export is damaged, incomplete or of a later release, 4 the store is in use, not
empty or cannot be reached, 130 interrupted.`;
