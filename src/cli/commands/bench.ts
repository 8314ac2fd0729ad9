import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { RAMP_DEFAULTS } from '../../replay/compare/streamRamp.ts';
import { SUITE_DEFAULTS } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { addEngineOptions } from '../flags/engineOptions.ts';
import { collect, integerFrom, seconds, serviceUrl, speed } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { BenchRun } from '../suite/benchRun.ts';
import { type BenchedServiceFlags, benchedServices } from '../suite/benchServices.ts';

/** Streams that one machine can send at real time: beyond that, its own limits would be measured. */
const MAX_STREAMS = 1000;
const MAX_REPEATS = 1000;

interface BenchFlags extends Omit<BenchRun, 'paths' | 'services'>, BenchedServiceFlags {}

/** Creates `rxscribe bench`, which compares services on the same recordings. */
export function benchCommand(context: Context): Command {
  const command = new ContextCommand('bench', context)
    .description('compare services on the same recordings: words, delay, stability, streams held')
    .argument(
      '<path...>',
      'recordings with their references beside them, directories of them, or a suite file',
    )
    .optionsGroup(GROUP.service)
    .addOption(
      new Option(
        '--url <url>',
        'service to compare, or embedded for one inside this process; may be repeated',
      )
        .default(undefined, 'embedded')
        .env('RXSCRIBE_URL')
        .argParser(collect(serviceUrl)),
    )
    .addOption(
      new Option('--token <token>', 'access token of each --url, in their order; may be repeated').argParser(
        collect(String),
      ),
    )
    .addOption(
      new Option('--name <name>', 'name of each service, in their order; may be repeated').argParser(
        collect(String),
      ),
    )
    .addHelpText('after', notes(NOTES))
    .action(async (paths: readonly string[], flags: BenchFlags) => {
      const run = toRun(paths, flags, context);
      const { runBench } = await import('../suite/benchRun.ts');
      await runBench(context, run);
    });
  return addEngineOptions(addMeasureOptions(command));
}

function addMeasureOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.streams)
    .addOption(
      new Option('--speed <factor>', 'multiple of real time, or max')
        .default(undefined, 'that of the suite, else 1')
        .argParser(speed),
    )
    .addOption(
      new Option('--repeats <number>', 'number of times to stream each recording')
        .default(undefined, 'that of the suite, else 1')
        .argParser(integerFrom(1, MAX_REPEATS)),
    )
    .addOption(
      new Option(
        '--max-streams <number>',
        'maximum number of concurrent streams to try, at real time; 0: do not try',
      )
        .default(undefined, `${RAMP_DEFAULTS.maxStreams}, or 0 at another --speed`)
        .argParser(integerFrom(0, MAX_STREAMS)),
    )
    .addOption(
      new Option('--max-added-delay <seconds>', 'delay of finals that concurrent streams may add')
        .default(RAMP_DEFAULTS.maxAddedDelaySeconds)
        .argParser(seconds),
    )
    .option('--language <code>', 'language of the speech')
    .optionsGroup(GROUP.scores)
    .addOption(
      new Option('--rules <name>', 'rules that make words comparable').default(undefined, 'by the language'),
    )
    .addOption(
      new Option('--alignment <rule>', 'rule that aligns words')
        .default(undefined, `that of the suite, else ${SUITE_DEFAULTS.alignment}`)
        .choices(['levenshtein', 'sclite']),
    )
    .optionsGroup(GROUP.output)
    .option('--viewers', 'measure what viewers of live captions saw, by kind of output')
    .option('--json', 'print one JSON object a line: each service with all its measures');
}

const NOTES = `
Services take turns with each recording, so that only one is under load at a time. A number of streams is held
when none of them fails and the p95 delay of their finals is at most --max-added-delay above that of one stream.
A difference is beyond chance when 0 is not in its 95 % confidence interval (bootstrap). Without --token,
RXSCRIBE_TOKEN is the token of --url, where all addresses have one host and port. The url, concurrency, thresholds and tolerances of a suite file only
apply to replay: bench streams to the services of --url, one recording at a time, and judges nothing. For the capacity of one service, with jobs and longer loads, see 'rxscribe load'.

Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 the embedded service did not start, 6 a stream failed, 130
interrupted.`;

function toRun(
  paths: readonly string[],
  { url, token, name, ...flags }: BenchFlags,
  { env }: Context,
): BenchRun {
  const services = benchedServices({ url, token, name }, env.RXSCRIBE_TOKEN);
  const isEmbedded = services.some(service => service.kind === 'embedded');
  if (!isEmbedded && (flags.engine ?? flags.model ?? flags.pause) !== undefined) {
    throw new InvalidArgumentError('--engine, --model and --pause require --url embedded.');
  }
  return { ...flags, paths, services };
}
