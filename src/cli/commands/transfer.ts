import { defineCommand } from '../flags/defineCommand.ts';
import { STORE_OPTIONS } from '../flags/storeOptions.ts';
import { loadLocal } from '../loadLocal.ts';

/** `rxscribe export`, which writes the data of a service to a directory or a tar archive. */
export const exportCommand = defineCommand({
  name: 'export',
  description: 'write all data of a service to a new directory, or as a tar archive to standard output',
  examples: [
    'rxscribe export backup --data ./data',
    'rxscribe export - --data ./data | gzip > backup.tar.gz',
  ],
  arguments: [['<dir|->', 'new directory, or - for standard output']],
  options: [STORE_OPTIONS],
  notes: `
A service with an embedded database must be stopped first; those with a database server may go on.
An export has the secrets of accounts, and is readable for this user only.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 the directory cannot be written, 4 the data are in use or cannot be reached, 130
interrupted.`,
  async run({ args: [target], flags, context }) {
    const { runExport } = await loadLocal('transferRun');
    await runExport(context, target, flags);
  },
});

/** `rxscribe import`, which fills a new store with an export. */
export const importCommand = defineCommand({
  name: 'import',
  description: 'fill the empty store of a service with an export; jobs in progress run again when it starts',
  examples: [
    'rxscribe import backup --database postgres://… --objects s3://speech/service',
    'gunzip -c backup.tar.gz | rxscribe import - --data ./new',
  ],
  arguments: [['<dir|->', 'directory of an export, or - for a tar archive on standard input']],
  options: [STORE_OPTIONS],
  notes: `
The store must be empty, or just created by a first start, and no service may use it.
No service opens a store whose import was interrupted: run the import again.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 the export is damaged, incomplete or of a later release, 4 the store is in use, not
empty or cannot be reached, 130 interrupted.`,
  async run({ args: [source], flags, context }) {
    const { runImport } = await loadLocal('transferRun');
    await runImport(context, source, flags);
  },
});
