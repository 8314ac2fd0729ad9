import type { Command } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { defaultDataDirectory } from './adminOptions.ts';
import { variableOption } from './optionValues.ts';

/** The place of the data of a service, as its operator writes it. */
export interface StoreFlags {
  readonly data: string;
  readonly database?: string;
  readonly objects?: string;
  readonly s3Endpoint?: string;
}

/** Adds the options of the place of a service's data. */
export function addStoreOptions(command: Command): Command {
  return command
    .addOption(
      variableOption('--data <directory>', 'directory of all data', 'DATA').default(defaultDataDirectory()),
    )
    .addOption(
      variableOption(
        '--database <url>',
        'PostgreSQL server for accounts and jobs, as postgres://…',
        'DATABASE_URL',
      ).default(undefined, 'DATABASE_URL, else an embedded database in --data'),
    )
    .addOption(
      variableOption(
        '--objects <url>',
        'bucket for media and transcripts, as s3://BUCKET/PREFIX; credentials as AWS tools read them; requires --database',
        'OBJECTS',
      ).default(undefined, 'files in --data'),
    )
    .addOption(
      variableOption('--s3-endpoint <url>', "address of an S3 server other than Amazon's", 'S3_ENDPOINT'),
    );
}

/**
 * Returns the place of the data of a service.
 *
 * @param note called with what a user may not expect
 * @throws InvalidArgumentError for options that do not fit together
 */
export function storePlace(flags: StoreFlags, env: NodeJS.ProcessEnv, note: (text: string) => void) {
  const { data: dataDirectory, objects: url, s3Endpoint: endpoint } = flags;
  if (!url && endpoint !== undefined) throw new InvalidArgumentError('--s3-endpoint requires --objects.');
  const databaseUrl = flags.database || env.DATABASE_URL || undefined;
  if (databaseUrl && !flags.database) note('Using the PostgreSQL server of DATABASE_URL.');
  if (url && !databaseUrl) throw new InvalidArgumentError('--objects requires --database.');
  return { dataDirectory, databaseUrl, objects: url ? { url, endpoint } : undefined };
}
