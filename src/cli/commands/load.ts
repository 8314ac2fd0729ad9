import { InvalidArgumentError as InvalidValueError } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { languageOf } from '../../protocol/language.ts';
import { CHAOS_DEFAULTS, LOAD_DEFAULTS, type LoadRamp } from '../../replay/load/loadPlan.ts';
import { limitNumber } from '../../replay/suite/read/limits.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { type FlagsOf, optionGroup } from '../flags/optionGroup.ts';
import { COMMAND_LINE_NOTE, collect, integerFrom, seconds, serviceUrl } from '../flags/optionValues.ts';
import { checkServiceFlags, requireUrl, serviceOptions } from '../flags/serviceOptions.ts';
import { GROUP } from '../help/groups.ts';

const MAX_CLIENTS = 20_000;
const MAX_JOBS_PER_MINUTE = 60_000;
const MAX_STEPS = 1000;

const LOAD_OPTIONS = optionGroup(GROUP.load, {
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
    help: 'begin with so many streams (or jobs, without streams) and add as many each time, such as 10/30s or 10/min, until a step is not held',
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

const CHAOS_OPTIONS = optionGroup(GROUP.chaos, {
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
    help: 'time after the faults to end what has begun',
    parse: seconds,
    default: CHAOS_DEFAULTS.settleSeconds,
  },
  '--max-word-errors <share>': {
    help: 'share of the words of streams that may differ',
    parse: share,
    default: CHAOS_DEFAULTS.maxWordErrors,
  },
});

const LIMIT_OPTIONS = optionGroup(GROUP.limits, {
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

const OPTIONS = [
  LOAD_OPTIONS,
  CHAOS_OPTIONS,
  LIMIT_OPTIONS,
  optionGroup(GROUP.output, { '--json': 'print the report as one JSON object' }),
  ...serviceOptions(),
] as const;

/** Flags of `rxscribe load`. */
export type LoadFlags = FlagsOf<typeof OPTIONS>;

/** `rxscribe load`, which finds out how many streams and jobs a service holds. */
export const loadCommand = defineCommand({
  name: 'load',
  description: 'put a service under load: streams and jobs held, delays, failures',
  examples: [
    'rxscribe load --streams 100 --ramp 10/30s --url https://speech.example.org',
    'rxscribe load talk.mp3 --streams 20 --jobs 4 --for 600 --max-delay 3 --json',
    'rxscribe load --chaos compose:api-1 --chaos compose:worker --url http://127.0.0.1:8080',
  ],
  arguments: [['[files...]', 'recordings of speech (default: half a minute of it)']],
  options: OPTIONS,
  notes: `
First, each recording is streamed once as fast as the service takes it, for the words to expect. Then streams repeat the
recordings, each from a random place; new ones start in the first quarter of a step, and delays are measured in the rest. A
step is held when the limits are kept. A service without partials lags by the length of its utterances. For a comparison of
services by their words, see 'rxscribe bench'.

An account runs 10 streams at a time, unless an operator gives it more: 'rxscribe account settings ACCOUNT --streams 100'.
Results are deleted after 10 minutes.

With --chaos, parts of an installation of your own fail at random for --for seconds, up to two at a time, the same ones for the
same --seed; then the audit compares what clients got with what the service has. Nothing but the named targets is touched, and
all of it is put right at the end, after an error and after Ctrl-C. A YAML file has shell commands by target: 'kill' and 'stop'
with 'start', 'freeze' with 'continue'. Each must return: what it starts goes to the background. Words are compared with those
without faults; a recogniser may hear some differently after a new beginning.`,
  exitCodes: `
Exit codes: 0 the full load was held, or the audit found nothing, 2 wrong usage, 3 input cannot be read (or a command of
--chaos failed), 4 service unreachable or failed, 5 refused (token, credit, request), 6 the full load was not held, or the audit
found something, 130 interrupted, with the report of a load so far.`,
  async run({ args: [paths], flags, context }) {
    check(flags);
    const { runLoadCommand } = await import('../suite/loadRun.ts');
    await runLoadCommand(context, { ...flags, paths });
  },
});

function check(flags: LoadFlags): void {
  const { streams, jobs, jobsPerMinute, ramp: growth, session } = flags;
  checkServiceFlags(flags);
  if (flags.chaos) {
    requireUrl(flags);
    if ((jobsPerMinute ?? growth ?? session) === undefined) return;
    throw new InvalidArgumentError('--chaos excludes --jobs-per-minute, --ramp and --session.');
  }
  if ((flags.yes ?? flags.notifyUrl ?? flags.adminUrl) !== undefined) {
    throw new InvalidArgumentError('--yes, --notify-url and --admin-url require --chaos.');
  }
  if ((streams ?? jobs ?? jobsPerMinute) === undefined) {
    throw new InvalidArgumentError(
      'Give --streams, --jobs or --jobs-per-minute: the load to put on the service.',
    );
  }
  if (session !== undefined && streams === undefined) {
    throw new InvalidArgumentError('--session requires --streams.');
  }
  if (!growth) return;
  const full = streams ?? jobs;
  if (full === undefined || (streams === undefined && jobsPerMinute !== undefined)) {
    throw new InvalidArgumentError('--ramp requires --streams, or --jobs without --jobs-per-minute.');
  }
  if (full / growth.clients > MAX_STEPS) {
    throw new InvalidArgumentError(
      `--ramp may have up to ${MAX_STEPS} steps, not ${Math.ceil(full / growth.clients)}.`,
    );
  }
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

function someSeconds(text: string): number {
  const value = seconds(text);
  if (value > 0) return value;
  throw new InvalidValueError('must be a number of seconds above 0');
}

function share(text: string): number {
  const value = limitNumber(text) ?? Number.NaN;
  if (value <= 1) return value;
  throw new InvalidValueError('must be a share from 0 to 1, or a percentage such as 1%');
}
