import { defaultDataDirectory } from '../flags/adminOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { variableGroup } from '../flags/optionGroup.ts';
import { loadLocal } from '../loadLocal.ts';

/** `rxscribe dump`, which writes the data of an embedded database for a PostgreSQL server and a bucket. */
export const dumpCommand = defineCommand({
  name: 'dump',
  description:
    'write the data of a stopped service with an embedded database, for a PostgreSQL server and a bucket',
  examples: ['rxscribe dump moved --data ./data'],
  arguments: [['<dir>', 'new or empty directory']],
  options: [
    variableGroup('Storage', {
      '--data <directory>': { help: 'directory of all data', default: defaultDataDirectory() },
    }),
  ],
  notes: `
The directory gets 'dump.sql', which psql loads into an empty database, and the folder 'objects', to be copied to an empty bucket.
It has the secrets of accounts, and only this user can read it. Data on a PostgreSQL server are dumped by pg_dump.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 the directory cannot be written, 4 the data are in use or cannot be read, 130 interrupted.`,
  async run({ args: [directory], flags: { data }, context }) {
    const { runDump } = await loadLocal('dumpRun');
    await runDump(context, directory, data);
  },
});
