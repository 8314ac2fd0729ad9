import { refuseIf } from '../../base/errors.ts';
import { defaultDataDirectory } from './adminOptions.ts';
import { type FlagsOf, variableGroup } from './optionGroup.ts';

/** Options of the place of a service's data. */
export const STORE_OPTIONS = variableGroup('Storage', {
  '--data <directory>': { help: 'directory of all data', default: defaultDataDirectory() },
  '--database <url>': {
    help: 'PostgreSQL server for accounts and jobs, as postgres://…',
    env: 'RXSCRIBE_DATABASE_URL',
    otherwise: 'DATABASE_URL, else an embedded database in --data',
  },
  '--objects <url>': {
    help: 'bucket for media and transcripts, as s3://BUCKET/PREFIX; credentials as AWS tools read them; requires --database',
    otherwise: 'files in --data',
  },
  '--s3-endpoint <url>': { help: "address of an S3 server other than Amazon's", env: 'RXSCRIBE_S3_ENDPOINT' },
});

/**
 * Returns the place of the data of a service.
 *
 * @param note called with a sentence on unexpected consequences
 * @throws InvalidArgumentError for options that do not fit together
 */
export function storePlace(
  flags: FlagsOf<typeof STORE_OPTIONS>,
  env: NodeJS.ProcessEnv,
  note: (text: string) => void,
) {
  const { data: dataDirectory, objects: url, s3Endpoint: endpoint } = flags;
  refuseIf(!url && endpoint !== undefined, '--s3-endpoint requires --objects.');
  const databaseUrl = flags.database || env.DATABASE_URL || undefined;
  if (databaseUrl && !flags.database) note('Using the PostgreSQL server of DATABASE_URL.');
  refuseIf(url && !databaseUrl, '--objects requires --database.');
  return { dataDirectory, databaseUrl, objects: url ? { url, endpoint } : undefined };
}
