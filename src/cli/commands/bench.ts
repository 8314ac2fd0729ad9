import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { DEFAULT_MAX_ADDED_DELAY_SECONDS, DEFAULT_MAX_STREAMS } from '../../replay/compare/streamRamp.ts';
import { SUITE_DEFAULTS } from '../../replay/suite/suite.ts';
import { addEngineOptions } from '../flags/engineOptions.ts';
import { collect, integerFrom, seconds, speed } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { BenchRun } from '../suite/benchRun.ts';
import { benchedServices } from '../suite/benchServices.ts';

/** Real time is not kept by more: the machine that asks is measured then. */
const MAX_STREAMS = 1000;
const MAX_REPEATS = 1000;

const text = (value: string) => value;

/** `rxscribe bench`: the same audio through several services, side by side. */
export function benchCommand(): Command {
  const command = new Command('bench')
    .description('compare services on the same recordings: words, delay, stability, streams held')
    .argument(
      '<path...>',
      'recordings with their references beside them, directories of them, or a suite file',
    )
    .optionsGroup(GROUP.service)
    .addOption(
      new Option('--url <url>', 'service to compare, or "embedded" for one of its own; may be repeated')
        .default(undefined, 'embedded')
        .env('RXSCRIBE_URL')
        .argParser(collect(text)),
    )
    .addOption(
      new Option('--token <token>', 'access token of each --url, in their order; may be repeated').argParser(
        collect(text),
      ),
    )
    .addOption(
      new Option('--name <name>', 'what to call each service, in their order; may be repeated').argParser(
        collect(text),
      ),
    )
    .optionsGroup(GROUP.streams)
    .addOption(
      new Option('--speed <factor>', 'times real time, or max').default(undefined, '1').argParser(speed),
    )
    .addOption(
      new Option('--repeats <number>', 'how often each recording is streamed').argParser(
        integerFrom(1, MAX_REPEATS),
      ),
    )
    .addOption(
      new Option('--max-streams <number>', 'streams at a time that are tried, at real time; 0: none')
        .default(undefined, `${DEFAULT_MAX_STREAMS}, at another --speed none`)
        .argParser(integerFrom(0, MAX_STREAMS)),
    )
    .addOption(
      new Option('--max-added-delay <seconds>', 'by how much finals may come later then')
        .default(DEFAULT_MAX_ADDED_DELAY_SECONDS)
        .argParser(seconds),
    )
    .option('--language <code>', 'language that is spoken')
    .optionsGroup(GROUP.scores)
    .addOption(
      new Option('--rules <name>', 'how texts are made comparable').default(undefined, 'by the language'),
    )
    .addOption(
      new Option('--alignment <rule>', 'how errors are counted')
        .default(undefined, SUITE_DEFAULTS.alignment)
        .choices(['levenshtein', 'sclite']),
    )
    .optionsGroup(GROUP.output)
    .option('--json', 'print one JSON object a line: each service with all that was measured')
    .addHelpText('after', notes(RULES))
    .action(async (paths: readonly string[], flags: BenchFlags) => {
      const run = toRun(paths, flags);
      const { runBench } = await import('../suite/benchRun.ts');
      await runBench(run);
    });
  return addEngineOptions(command);
}

const RULES = `
Services take turns with each recording, so that only one is under load at a time. A number of streams is held
when none of them fails and the p95 delay of their finals is at most --max-added-delay above that of one stream.
A difference is beyond chance when 0 is not in its 95 % confidence interval (bootstrap). RXSCRIBE_TOKEN is the
token of every service when no --token is given. Of a suite file the url, concurrency, thresholds and tolerances
are for replay alone: bench streams to its own services, one recording at a time, and judges nothing.

Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 the service of its own did not start,
6 a stream failed, 130 interrupted.`;

interface BenchFlags extends Omit<BenchRun, 'paths' | 'services'> {
  readonly url?: readonly string[];
  readonly token?: readonly string[];
  readonly name?: readonly string[];
}

function toRun(paths: readonly string[], { url, token, name, ...flags }: BenchFlags): BenchRun {
  const services = benchedServices({ url, token, name }, process.env.RXSCRIBE_TOKEN);
  const isEmbedded = services.some(service => service.kind === 'embedded');
  if (!isEmbedded && (flags.engine ?? flags.model ?? flags.pause) !== undefined) {
    throw new InvalidArgumentError('bench: --engine, --model and --pause go with --url embedded');
  }
  return { ...flags, paths, services };
}
