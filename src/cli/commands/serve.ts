import type { Command, Option } from 'commander';
import { LOG_DEFAULTS, LOG_FORMATS, LOG_LEVELS } from '../../base/logLevel.ts';
import { DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { DRAIN_SECONDS } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addEngineOptions } from '../flags/engineOptions.ts';
import { COMMAND_LINE_NOTE, integerFrom, listed, variableOption } from '../flags/optionValues.ts';
import { addStoreOptions } from '../flags/storeOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { loadLocal } from '../loadLocal.ts';
import type { ServeOptions } from '../local/serveRun.ts';

/** Creates `rxscribe serve`, which runs the speech service until it is interrupted. */
export function serveCommand(context: Context): Command {
  const command = new ContextCommand('serve', context)
    .description('run the speech service')
    .addHelpText('after', notes(EXIT_CODES))
    .optionsGroup(GROUP.network)
    .addOption(variableOption('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(
      variableOption('--port <number>', 'port, 0 for a free one', 'PORT')
        .default(8080)
        .argParser(integerFrom(0, 65_535)),
    )
    .addOption(
      variableOption(
        '--public-url <url>',
        'address by which clients reach the service, for links in errors',
        'PUBLIC_URL',
      ).default(undefined, 'that of --host and --port'),
    )
    .addOption(
      variableOption(
        '--trust-proxy <cidr>',
        'proxies whose X-Forwarded-For names the client: CIDRs, loopback, linklocal, uniquelocal; several separated by commas, or repeated',
        'TRUST_PROXY',
      )
        .default(undefined, 'none')
        .argParser(listed),
    )
    .optionsGroup(GROUP.storage);
  addStoreOptions(command).addOption(
    variableOption(
      '--role <role>',
      'part of this process in a service of several: api takes requests and streams, worker runs jobs; requires --database',
      'ROLE',
    )
      .choices(['all', 'api', 'worker'])
      .default('all'),
  );
  addAdminListenerOptions(addAccountOptions(command))
    .optionsGroup(GROUP.interface)
    .addOption(
      variableOption('--brand <word>', 'brand in paths and media types', 'BRAND').default(DEFAULT_BRAND),
    )
    .addOption(
      variableOption('--region <region>', 'region of this deployment', 'REGION')
        .choices(['us', 'eu'])
        .default('us'),
    )
    .optionsGroup(GROUP.network)
    .addOption(
      variableOption(
        '--allow-private-addresses',
        'let jobs fetch from and notify private addresses',
        'ALLOW_PRIVATE_ADDRESSES',
      ),
    )
    .addOption(drainOption());
  addLogOptions(command).action(async (options: ServeOptions) => {
    const { runService } = await loadLocal('serveRun');
    await runService(context, options);
  });
  return addCapacityOptions(addEngineOptions(command, { fromEnvironment: true }));
}

const EXIT_CODES = `
Exit codes: 0 stopped by an interruption, 2 wrong usage, 3 recogniser cannot be fetched, 4 the service cannot start, 130
interrupted again before it has stopped.`;

function addCapacityOptions(command: Command): Command {
  return command
    .addOption(
      variableOption('--jobs <number>', 'recordings to transcribe at a time', 'JOBS')
        .default(undefined, 'by engine and cores')
        .argParser(integerFrom(1, 1000)),
    )
    .addOption(
      variableOption(
        '--max-streams <number>',
        'streams at a time; fewer when the processors are busy',
        'MAX_STREAMS',
      )
        .default(undefined, 'by engine and cores')
        .argParser(integerFrom(1, 10_000)),
    );
}

function drainOption(): Option {
  return variableOption(
    '--drain-seconds <seconds>',
    'after SIGTERM, seconds for streams to reach a pause and for requests to end',
    'DRAIN_SECONDS',
  )
    .default(DRAIN_SECONDS.default)
    .argParser(integerFrom(DRAIN_SECONDS.min, DRAIN_SECONDS.max));
}

function addAccountOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.access)
    .addOption(
      variableOption(
        '--token <token>',
        `access token of the first account; use 16 characters or more; ${COMMAND_LINE_NOTE}`,
        'TOKEN',
      ).default(undefined, 'a random one at the first start'),
    )
    .addOption(
      variableOption('--email <address>', 'e-mail address of the first account', 'EMAIL').default(
        undefined,
        'owner@localhost',
      ),
    )
    .addOption(
      variableOption(
        '--admin-token <token>',
        `token of operators over the network, at least 32 characters; ${COMMAND_LINE_NOTE}`,
        'ADMIN_TOKEN',
      ).default(undefined, 'only over a socket in --data'),
    );
}

function addAdminListenerOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.network)
    .addOption(
      variableOption(
        '--admin-port <number>',
        'port of metrics, health and administration, 0 for a free one',
        'ADMIN_PORT',
      )
        .default(undefined, 'none')
        .argParser(integerFrom(0, 65_535)),
    )
    .addOption(
      variableOption('--admin-host <address>', 'address of that port', 'ADMIN_HOST').default(
        undefined,
        '127.0.0.1',
      ),
    );
}

function addLogOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.logs)
    .addOption(
      variableOption('--log-level <level>', 'lowest level to log', 'LOG_LEVEL')
        .choices(LOG_LEVELS)
        .default(LOG_DEFAULTS.level),
    )
    .addOption(
      variableOption('--log-format <format>', 'format of the log on stderr', 'LOG_FORMAT')
        .choices(LOG_FORMATS)
        .default(undefined, 'plain in a terminal, else json'),
    );
}
