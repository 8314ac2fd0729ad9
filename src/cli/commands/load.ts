import { type Command, InvalidArgumentError as InvalidValueError, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { LOAD_DEFAULTS, type LoadRamp } from '../../replay/load/loadPlan.ts';
import { limitNumber } from '../../replay/suite/read/limits.ts';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { integerFrom, languageOption, seconds } from '../flags/optionValues.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
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
  return addServiceOptions(addLimitOptions(addLoadOptions(command)));
}

function addLoadOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.load)
    .addOption(
      new Option('--streams <number>', 'streams at a time, each at real time').argParser(
        integerFrom(1, MAX_CLIENTS),
      ),
    )
    .addOption(
      new Option('--jobs <number>', 'jobs in flight at a time; with --jobs-per-minute, the most of them')
        .default(undefined, `0, or ${LOAD_DEFAULTS.rateJobs} with --jobs-per-minute`)
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
        .default(undefined, `that of a step of --ramp, else ${LOAD_DEFAULTS.seconds}`)
        .argParser(someSeconds),
    )
    .addOption(
      new Option('--session <seconds>', 'mean length of a stream, after which a new one follows')
        .default(undefined, 'to the end')
        .argParser(someSeconds),
    )
    .addOption(
      new Option('--seed <number>', 'number that determines where in the recordings streams begin')
        .default(LOAD_DEFAULTS.seed)
        .argParser(integerFrom(0, 2 ** 31)),
    )
    .addOption(languageOption('language of the speech'));
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

Exit codes: 0 the full load was held, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, 5 refused
(token, credit, request), 6 the full load was not held, 130 interrupted, with the report so far.`;

function check(flags: LoadFlags): void {
  const { streams, jobs, jobsPerMinute, ramp: growth, session } = flags;
  checkServiceFlags(flags);
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
