import { Command, Option } from 'commander';
import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '../base/logLevel.ts';
import { DEFAULT_BRAND } from '../protocol/brand.ts';
import { defaultDataDirectory } from './dataDirectory.ts';
import { addEngineOptions } from './engineOptions.ts';
import { GROUP } from './help/groups.ts';
import { loadLocal } from './loadLocal.ts';
import type { ServeOptions } from './local/serveRun.ts';
import { integerFrom } from './optionValues.ts';

/** `rxscribe serve`: the speech service, until it is told to stop. */
export function serveCommand(): Command {
  const option = (flags: string, description: string, variable: string) =>
    new Option(flags, description).env(`RXSCRIBE_${variable}`);
  const command = new Command('serve')
    .description('run the speech service')
    .optionsGroup(GROUP.network)
    .addOption(option('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(
      option('--port <number>', 'port, 0 for a free one', 'PORT')
        .default(8080)
        .argParser(integerFrom(0, 65_535)),
    )
    .optionsGroup(GROUP.storage)
    .addOption(
      option('--data <directory>', 'where everything is kept', 'DATA').default(defaultDataDirectory()),
    )
    .optionsGroup(GROUP.access)
    .addOption(
      option('--token <token>', 'access token of the first account', 'TOKEN').default(
        undefined,
        'one is made',
      ),
    )
    .addOption(
      option(
        '--admin-token <token>',
        'lets operators in over the network, at least 32 characters',
        'ADMIN_TOKEN',
      ).default(undefined, 'only over a socket in --data'),
    )
    .optionsGroup(GROUP.interface)
    .addOption(option('--brand <word>', 'the word in paths and media types', 'BRAND').default(DEFAULT_BRAND))
    .addOption(
      option('--region <region>', 'which deployment this is', 'REGION').choices(['us', 'eu']).default('us'),
    )
    .optionsGroup(GROUP.network)
    .addOption(
      option(
        '--allow-private-addresses',
        'let jobs fetch from and notify private addresses',
        'ALLOW_PRIVATE_ADDRESSES',
      ),
    )
    .optionsGroup(GROUP.logs)
    .addOption(
      option('--log-level <level>', 'least level that is logged', 'LOG_LEVEL')
        .choices(LOG_LEVELS)
        .default(DEFAULT_LOG_LEVEL),
    )
    .action(async (options: ServeOptions) => {
      const { runService } = await loadLocal('serveRun');
      await runService(options);
    });
  return addEngineOptions(command, { fromEnvironment: true });
}
