import { LOG_DEFAULTS, LOG_FORMATS, LOG_LEVELS } from '../../base/logLevel.ts';
import { DEFAULT_BRAND, type DoorName } from '../../protocol/interfaceNames.ts';
import { DRAIN_SECONDS } from '../../protocol/limits.ts';
import { SERVE_ENGINE_OPTIONS } from './engineOptions.ts';
import { type FlagsOf, variableGroup } from './optionGroup.ts';
import { COMMAND_LINE_NOTE, integerFrom, listed } from './optionValues.ts';
import { STORE_OPTIONS } from './storeOptions.ts';

const port = integerFrom(0, 65_535);
const doorNames = (text: string) => listed(text) as readonly DoorName[];

const NETWORK_OPTIONS = variableGroup('Network', {
  '--host <address>': { help: 'address to listen on', default: '127.0.0.1' },
  '--port <number>': { help: 'port, 0 for a free one', parse: port, default: 8080 },
  '--public-url <url>': {
    help: 'address by which clients reach the service, for links in errors',
    otherwise: 'that of --host and --port',
  },
  '--trust-proxy <cidr>': {
    help: 'proxies whose X-Forwarded-For names the client: CIDRs, loopback, linklocal, uniquelocal; several separated by commas, or repeated',
    parse: listed,
    otherwise: 'none',
  },
  '--admin-port <number>': {
    help: 'port of metrics, health and administration, 0 for a free one',
    parse: port,
    otherwise: 'none',
  },
  '--admin-host <address>': { help: 'address of that port', otherwise: '127.0.0.1' },
  '--allow-private-addresses': 'let jobs fetch from and notify private addresses',
  '--drain-seconds <seconds>': {
    help: 'after SIGTERM, seconds for streams to reach a pause and for requests to end',
    parse: integerFrom(DRAIN_SECONDS.min, DRAIN_SECONDS.max),
    default: DRAIN_SECONDS.default,
  },
});

const ROLE_OPTION = variableGroup('Storage', {
  '--role <role>': {
    help: 'part of this process in a service of several: api takes requests and streams, worker runs jobs; requires --database',
    choices: ['all', 'api', 'worker'],
    default: 'all',
  },
});

const ACCOUNT_OPTIONS = variableGroup('Access', {
  '--token <token>': {
    help: `access token of the first account; use 16 characters or more; ${COMMAND_LINE_NOTE}`,
    otherwise: 'a random one at the first start',
  },
  '--email <address>': { help: 'e-mail address of the first account', otherwise: 'owner@localhost' },
  '--open': 'open the page / in a browser; on this computer, it needs no token',
  '--admin-token <token>': {
    help: `token of operators over the network, at least 32 characters; ${COMMAND_LINE_NOTE}`,
    otherwise: 'only over a socket in --data',
  },
});

const INTERFACE_OPTIONS = variableGroup('Interface', {
  '--brand <word>': { help: 'brand in paths and media types', default: DEFAULT_BRAND },
  '--doors <names>': { help: 'interfaces of other services to have too: openai, deepgram', parse: doorNames },
  '--region <region>': { help: 'region of this deployment', choices: ['us', 'eu'], default: 'us' },
});

const LOG_OPTIONS = variableGroup('Logs', {
  '--log-level <level>': { help: 'lowest level to log', choices: LOG_LEVELS, default: LOG_DEFAULTS.level },
  '--log-format <format>': {
    help: 'format of the log on stderr',
    choices: LOG_FORMATS,
    otherwise: 'plain in a terminal, else json',
  },
});

const CAPACITY_OPTIONS = variableGroup('Engines', {
  '--jobs <number>': {
    help: 'recordings to transcribe at a time',
    parse: integerFrom(1, 1000),
    otherwise: 'by engine and cores',
  },
  '--max-streams <number>': {
    help: 'streams at a time; fewer when the processors are busy',
    parse: integerFrom(1, 10_000),
    otherwise: 'by engine and cores',
  },
});

/** Options of `rxscribe serve`. */
export const SERVE_OPTIONS = [
  NETWORK_OPTIONS,
  STORE_OPTIONS,
  ROLE_OPTION,
  ACCOUNT_OPTIONS,
  INTERFACE_OPTIONS,
  LOG_OPTIONS,
  SERVE_ENGINE_OPTIONS,
  CAPACITY_OPTIONS,
] as const;

/** Flags of `rxscribe serve`. */
export type ServeFlags = FlagsOf<typeof SERVE_OPTIONS>;
