import { once } from 'node:events';
import { Command, Option } from 'commander';
import envPaths from 'env-paths';
import { DEFAULT_BRAND } from '../protocol/brand.ts';
import { createService } from '../service/app.ts';
import { LOG_LEVELS, type LogLevel } from '../service/log.ts';
import { createRecognizer, ENGINE_NAMES, type EngineName } from './engine.ts';
import { integerFrom } from './optionValues.ts';

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly token?: string;
  readonly brand: string;
  readonly region: 'us' | 'eu';
  readonly engine: EngineName;
  readonly model?: string;
  readonly allowPrivateAddresses?: boolean;
  readonly logLevel: LogLevel;
}

/** `rxscribe serve`: the speech service, until it is told to stop. */
export function serveCommand(): Command {
  const option = (flags: string, description: string, variable: string) =>
    new Option(flags, description).env(`RXSCRIBE_${variable}`);
  return new Command('serve')
    .description('run the speech service')
    .addOption(option('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(
      option('--port <number>', 'port, 0 for a free one', 'PORT')
        .default(8080)
        .argParser(integerFrom(0, 65_535)),
    )
    .addOption(
      option('--data <directory>', 'where everything is kept', 'DATA').default(
        envPaths('rxscribe', { suffix: '' }).data,
      ),
    )
    .addOption(option('--token <token>', 'access token of the first account (default: one is made)', 'TOKEN'))
    .addOption(option('--brand <word>', 'the word in paths and media types', 'BRAND').default(DEFAULT_BRAND))
    .addOption(
      option('--region <region>', 'which deployment this is', 'REGION').choices(['us', 'eu']).default('us'),
    )
    .addOption(
      option('--engine <name>', 'recogniser', 'ENGINE').choices(ENGINE_NAMES).default('pocketsphinx'),
    )
    .addOption(
      option('--model <directory>', "model directory of the recogniser (default: the system's)", 'MODEL'),
    )
    .addOption(
      option(
        '--allow-private-addresses',
        'let jobs fetch from and notify private addresses',
        'ALLOW_PRIVATE_ADDRESSES',
      ),
    )
    .addOption(
      option('--log-level <level>', 'least level that is logged', 'LOG_LEVEL')
        .choices(LOG_LEVELS)
        .default('info'),
    )
    .action((options: ServeOptions) => serve(options));
}

async function serve(options: ServeOptions): Promise<void> {
  // From the start, so that a signal while starting is not lost.
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await using recognizer = createRecognizer(options.engine, { modelDirectory: options.model });
  await using service = await createService({
    host: options.host,
    port: options.port,
    dataDirectory: options.data,
    databaseUrl: process.env.DATABASE_URL,
    token: options.token,
    brand: options.brand,
    region: options.region,
    logLevel: options.logLevel,
    recognizer,
  });
  process.stdout.write(`rxscribe listening on ${service.url}\n`);
  void service.initialToken.then(token => token && showToken(token));
  await stop;
}

/** Past the logger, which would hide it. What is not a terminal gets a line of JSON, as all of stderr is. */
function showToken(token: string): void {
  const message = 'a first account was made; its access token is shown this once';
  const line = process.stderr.isTTY
    ? `${message}: ${token}`
    : JSON.stringify({ level: 30, time: Date.now(), token, msg: message });
  process.stderr.write(`${line}\n`);
}
