import { InvalidArgumentError as InvalidValueError } from 'commander';
import { refuseIf } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import { CHAOS_DEFAULTS, LOAD_DEFAULTS, type LoadRamp } from '../../replay/load/loadPlan.ts';
import { limitNumber } from '../../replay/suite/read/limits.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { COMMAND_LINE_NOTE, collect, integerFrom, seconds, serviceUrl, someSeconds } from './optionValues.ts';
import { checkServiceFlags, requireUrl, serviceOptions } from './serviceOptions.ts';

const MAX_CLIENTS = 20_000;
const MAX_JOBS_PER_MINUTE = 60_000;
const MAX_STEPS = 1000;

const LOAD_OPTIONS = optionGroup('Load', {
  '--streams <number>': {
    help: 'streams at a time, each at real time',
    parse: integerFrom(1, MAX_CLIENTS),
    otherwise: `${CHAOS_DEFAULTS.streams} with --chaos`,
  },
  '--jobs <number>': {
    help: 'jobs in flight at a time; with --jobs-per-minute, the most of them',
    parse: integerFrom(1, MAX_CLIENTS),
    otherwise: `0, ${LOAD_DEFAULTS.rateJobs} with --jobs-per-minute, ${CHAOS_DEFAULTS.jobs} with --chaos`,
  },
  '--jobs-per-minute <number>': {
    help: 'jobs to submit per minute',
    parse: integerFrom(1, MAX_JOBS_PER_MINUTE),
    otherwise: 'one when another has ended',
  },
  '--ramp <number/time>': {
    help: 'begin with this many streams (or jobs, without streams) and add as many in each period, such as 10/30s or 10/min, until a step is not held',
    parse: ramp,
    otherwise: 'all at once',
  },
  '--for <seconds>': {
    help: 'time at full load',
    parse: someSeconds,
    otherwise: `that of a step of --ramp, else ${LOAD_DEFAULTS.seconds}, or ${CHAOS_DEFAULTS.seconds} with --chaos`,
  },
  '--session <seconds>': {
    help: 'mean length of a stream, after which a new one follows',
    parse: someSeconds,
    otherwise: 'to the end',
  },
  '--seed <number>': {
    help: 'number that determines where in the recordings streams begin, and the faults',
    parse: integerFrom(0, 2 ** 31),
    default: LOAD_DEFAULTS.seed,
  },
  '--language <code>': { help: 'language of the speech', parse: languageOf },
});

const CHAOS_OPTIONS = optionGroup('Faults', {
  '--chaos <target>': {
    help: 'kill and freeze this part of the service, and cut connections, then audit jobs, words and notifications: compose:SERVICE, pid:NUMBER (only frozen), or a YAML file with commands; may be repeated',
    parse: collect(String),
  },
  '--yes': 'begin without a question',
  '--notify-url <url>': {
    help: 'address at which the service reaches this command, which listens on its port',
    parse: httpUrl,
    otherwise: 'notifications are not audited',
  },
  '--admin-token <token>': {
    help: `admin token, to audit rows and objects; ${COMMAND_LINE_NOTE}`,
    env: 'RXSCRIBE_ADMIN_TOKEN',
  },
  '--admin-url <url>': { help: 'address of administration', parse: serviceUrl, otherwise: 'that of --url' },
  '--settle <seconds>': {
    help: 'time after the faults for streams and jobs to end',
    parse: seconds,
    default: CHAOS_DEFAULTS.settleSeconds,
  },
  '--max-word-errors <share>': {
    help: 'share of the words of streams that may differ',
    parse: share,
    default: CHAOS_DEFAULTS.maxWordErrors,
  },
});

const LIMIT_OPTIONS = optionGroup('Limits', {
  '--max-delay <seconds>': {
    help: 'p95 of the delay of finals',
    parse: someSeconds,
    default: LOAD_DEFAULTS.maxDelaySeconds,
  },
  '--max-lag <seconds>': {
    help: 'p95 of the time that the oldest spoken word waits for any text',
    parse: someSeconds,
    default: LOAD_DEFAULTS.maxLagSeconds,
  },
  '--max-failures <share>': {
    help: 'share of connections and jobs that may fail, as 0.01 or 1%',
    parse: share,
    default: LOAD_DEFAULTS.maxFailures,
  },
});

/** Options of `rxscribe load`. */
export const LOAD_COMMAND_OPTIONS = [
  LOAD_OPTIONS,
  CHAOS_OPTIONS,
  LIMIT_OPTIONS,
  optionGroup('Output', { '--json': 'print the report as one JSON object' }),
  ...serviceOptions(),
] as const;

/** Flags of `rxscribe load`. */
export type LoadFlags = FlagsOf<typeof LOAD_COMMAND_OPTIONS>;

/** @throws InvalidArgumentError for flags that exclude or require each other */
export function checkLoadFlags(flags: LoadFlags): void {
  const { streams, jobs, jobsPerMinute, ramp: growth, session } = flags;
  checkServiceFlags(flags);
  if (flags.chaos) {
    requireUrl(flags);
    const isOther = (jobsPerMinute ?? growth ?? session) !== undefined;
    refuseIf(isOther, '--chaos excludes --jobs-per-minute, --ramp and --session.');
    return;
  }
  const isOfChaos = (flags.yes ?? flags.notifyUrl ?? flags.adminUrl) !== undefined;
  refuseIf(isOfChaos, '--yes, --notify-url and --admin-url require --chaos.');
  const isNothing = (streams ?? jobs ?? jobsPerMinute) === undefined;
  refuseIf(isNothing, 'Give --streams, --jobs or --jobs-per-minute: the load to put on the service.');
  refuseIf(session !== undefined && streams === undefined, '--session requires --streams.');
  if (!growth) return;
  const full = streams ?? (jobsPerMinute === undefined ? jobs : undefined);
  refuseIf(full === undefined, '--ramp requires --streams, or --jobs without --jobs-per-minute.');
  const steps = Math.ceil((full ?? 0) / growth.clients);
  refuseIf(steps > MAX_STEPS, `--ramp may have up to ${MAX_STEPS} steps, not ${steps}.`);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600 };

/** Parses a growth such as `10/30s`, `10/30` or `10/min`. */
function ramp(text: string): LoadRamp {
  const [, clients = '', time = '', unit = ''] = /^(\d+)\/(\d+(?:\.\d+)?)?(s|m|min|h)?$/.exec(text) ?? [];
  const length = Number(time || '1') * (UNIT_SECONDS[unit] ?? 1);
  if (Number(clients) > 0 && length > 0 && time + unit !== '')
    return { clients: Number(clients), seconds: length };
  throw new InvalidValueError('must be NUMBER/TIME, such as 10/30s or 10/min');
}

function httpUrl(text: string): string {
  if (URL.parse(text)?.protocol === 'http:') return text;
  throw new InvalidValueError('must be an address with http://');
}

function share(text: string): number {
  const value = limitNumber(text) ?? Number.NaN;
  if (value <= 1) return value;
  throw new InvalidValueError('must be a share from 0 to 1, or a percentage such as 1%');
}
