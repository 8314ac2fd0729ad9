import { type Command, InvalidArgumentError as InvalidValueError, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { CHAOS_DEFAULTS, LOAD_DEFAULTS, type LoadRamp } from '../../replay/load/loadPlan.ts';
import { limitNumber } from '../../replay/suite/read/limits.ts';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import {
  COMMAND_LINE_NOTE,
  collect,
  integerFrom,
  languageOption,
  seconds,
  serviceUrl,
} from '../flags/optionValues.ts';
import { addServiceOptions, checkServiceFlags, requireUrl } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { LoadRun } from '../suite/loadRun.ts';

const MAX_CLIENTS = 20_000;
const MAX_JOBS_PER_MINUTE = 60_000;
const MAX_STEPS = 1000;

interface LoadFlags extends Omit<LoadRun, 'paths'> {}

/** Creates `rxscribe load`, which finds out how many streams and jobs a service holds. */
export function loadCommand(context: Context): Command {
  const command = new ContextCommand('load', context)
    .description('put a service under load: streams and jobs held, delays, failures')
    .argument('[files...]', 'recordings of speech (default: half a minute of it)')
    .addHelpText('after', notes(NOTES))
    .action(async (paths: readonly string[], flags: LoadFlags) => {
      check(flags);
      const { runLoadCommand } = await import('../suite/loadRun.ts');
      await runLoadCommand(context, { ...flags, paths });
    });
  return addServiceOptions(addLimitOptions(addChaosOptions(addLoadOptions(command))));
}

function addLoadOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.load)
    .addOption(
      new Option('--streams <number>', 'streams at a time, each at real time')
        .default(undefined, `${CHAOS_DEFAULTS.streams} with --chaos`)
        .argParser(integerFrom(1, MAX_CLIENTS)),
    )
    .addOption(
      new Option('--jobs <number>', 'jobs in flight at a time; with --jobs-per-minute, the most of them')
        .default(
          undefined,
          `0, ${LOAD_DEFAULTS.rateJobs} with --jobs-per-minute, ${CHAOS_DEFAULTS.jobs} with --chaos`,
        )
        .argParser(integerFrom(1, MAX_CLIENTS)),
    )
    .addOption(
      new Option('--jobs-per-minute <number>', 'jobs to submit per minute')
        .default(undefined, 'one when another has ended')
        .argParser(integerFrom(1, MAX_JOBS_PER_MINUTE)),
    )
    .addOption(
      new Option(
        '--ramp <number/time>',
        'begin with so many streams (or jobs, without streams) and add as many each time, such as 10/30s or 10/min, until a step is not held',
      )
        .default(undefined, 'all at once')
        .argParser(ramp),
    )
    .addOption(
      new Option('--for <seconds>', 'time at full load')
        .default(
          undefined,
          `that of a step of --ramp, else ${LOAD_DEFAULTS.seconds}, or ${CHAOS_DEFAULTS.seconds} with --chaos`,
        )
        .argParser(someSeconds),
    )
    .addOption(
      new Option('--session <seconds>', 'mean length of a stream, after which a new one follows')
        .default(undefined, 'to the end')
        .argParser(someSeconds),
    )
    .addOption(
      new Option(
        '--seed <number>',
        'number that determines where in the recordings streams begin, and the faults',
      )
        .default(LOAD_DEFAULTS.seed)
        .argParser(integerFrom(0, 2 ** 31)),
    )
    .addOption(languageOption('language of the speech'));
}

function addChaosOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.chaos)
    .addOption(
      new Option(
        '--chaos <target>',
        'kill and freeze this part of the service, and cut connections, then audit jobs, words and notifications: compose:SERVICE, pid:NUMBER (only frozen), or a YAML file with commands; may be repeated',
      ).argParser(collect(String)),
    )
    .option('--yes', 'begin without a question')
    .addOption(
      new Option(
        '--notify-url <url>',
        'address at which the service reaches this command, which listens on its port',
      )
        .default(undefined, 'notifications are not audited')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--admin-token <token>', `admin token, to audit rows and objects; ${COMMAND_LINE_NOTE}`).env(
        'RXSCRIBE_ADMIN_TOKEN',
      ),
    )
    .addOption(
      new Option('--admin-url <url>', 'address of administration')
        .default(undefined, 'that of --url')
        .argParser(serviceUrl),
    )
    .addOption(
      new Option('--settle <seconds>', 'time after the faults to end what has begun')
        .default(CHAOS_DEFAULTS.settleSeconds)
        .argParser(seconds),
    )
    .addOption(
      new Option('--max-word-errors <share>', 'share of the words of streams that may differ')
        .default(CHAOS_DEFAULTS.maxWordErrors)
        .argParser(share),
    );
}

function addLimitOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.limits)
    .addOption(
      new Option('--max-delay <seconds>', 'p95 of the delay of finals')
        .default(LOAD_DEFAULTS.maxDelaySeconds)
        .argParser(someSeconds),
    )
    .addOption(
      new Option('--max-lag <seconds>', 'p95 of the time that the oldest spoken word waits for any text')
        .default(LOAD_DEFAULTS.maxLagSeconds)
        .argParser(someSeconds),
    )
    .addOption(
      new Option('--max-failures <share>', 'share of connections and jobs that may fail, as 0.01 or 1%')
        .default(LOAD_DEFAULTS.maxFailures)
        .argParser(share),
    )
    .optionsGroup(GROUP.output)
    .option('--json', 'print the report as one JSON object');
}

const NOTES = `
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
without faults; a recogniser may hear some differently after a new beginning.

Exit codes: 0 the full load was held, or the audit found nothing, 2 wrong usage, 3 input cannot be read (or a command of
--chaos failed), 4 service unreachable or failed, 5 refused (token, credit, request), 6 the full load was not held, or the audit
found something, 130 interrupted, with the report of a load so far.`;

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
