import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { parseLimit, parseThreshold } from '../../replay/suite/read/limits.ts';
import { SUITE_DEFAULTS, type Thresholds } from '../../replay/suite/suite.ts';
import { CAPTION_PROFILES } from '../../transcript/cues/captionProfile.ts';
import type { Context } from '../context.ts';
import { ContextCommand, isGiven } from '../flags/contextCommand.ts';
import { collect, integerFrom, speed } from '../flags/optionValues.ts';
import { addServiceOptions, checkServiceFlags } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { ReplayRun } from '../suite/replayRun.ts';

const MAX_RUNS = 1000;
const MAX_CONCURRENCY = 1000;

interface ReplayFlags extends Omit<ReplayRun, 'paths' | 'keywords' | 'thresholds'> {
  readonly keyword?: readonly string[];
  readonly maxWer?: Thresholds;
  readonly threshold?: Thresholds;
  readonly runs?: number;
}

/** Creates `rxscribe replay`, which streams recordings and cassettes again, and reports how good the results are. */
export function replayCommand(context: Context): Command {
  const command = new ContextCommand('replay', context)
    .description(
      'stream recordings and cassettes again, and report whether words, delay or stability got worse',
    )
    .argument('<suite...>', 'suite.yaml, or recordings, cassettes and directories of them')
    .optionsGroup(GROUP.streams)
    .addOption(
      new Option('--speed <factor>', 'multiple of real time, or max')
        .default(undefined, 'that of the suite, else 1')
        .argParser(speed),
    )
    .addOption(
      new Option('--runs <number>', 'number of times to stream each file; the report shows how they differ')
        .default(undefined, 'that of the suite, else 1')
        .argParser(integerFrom(1, MAX_RUNS)),
    )
    // The name of earlier releases, and of suite files.
    .addOption(new Option('--repeats <number>').argParser(integerFrom(1, MAX_RUNS)).hideHelp())
    .addOption(
      new Option('--concurrency <number>', 'streams at a time')
        .default(undefined, 'that of the suite, else 1')
        .argParser(integerFrom(1, MAX_CONCURRENCY)),
    )
    .option('--language <code>', 'language of the speech');
  addScoreOptions(command)
    .optionsGroup(GROUP.limits)
    .addOption(new Option('--max-wer <limit>', 'highest word error rate, as 0.3 or 30%').argParser(maxWer))
    .addOption(
      new Option('--threshold <path=limit>', 'limit of a measure over all files; may be repeated').argParser(
        collectLimits,
      ),
    )
    .option('--baseline <file>', 'earlier report, or file written by --update, to compare with')
    .option('--update', 'write the baseline instead of comparing with it')
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--report <file>', 'write the report: .json, .xml (JUnit), .md or .html; may be repeated')
        .argParser(collect(String))
        .default([]),
    )
    .option('--viewers', 'measure what viewers of live captions saw, by kind of output')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', notes(HELP))
    .action(async (paths: readonly string[], flags: ReplayFlags) => {
      const isUrlForAudio = command.getOptionValueSource('url') === 'env';
      const run = toRun(paths, { ...flags, isUrlForAudio, isTokenGiven: isGiven(command, 'token') });
      const { runReplay } = await import('../suite/replayRun.ts');
      await runReplay(context, run);
    });
  return addServiceOptions(command, { otherwise: 'that of the suite, else an embedded service' });
}

function addScoreOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.scores)
    .addOption(
      new Option('--reference <file>', 'spoken text of the only recording').default(
        undefined,
        'the file of the same name beside it',
      ),
    )
    .addOption(
      new Option('--rules <name>', 'rules that make words comparable: english-1, unicode-1, plain-1').default(
        undefined,
        'by the language',
      ),
    )
    .addOption(
      new Option('--alignment <rule>', 'rule that aligns words')
        .default(undefined, `that of the suite, else ${SUITE_DEFAULTS.alignment}`)
        .choices(['levenshtein', 'sclite']),
    )
    .addOption(
      new Option('--keyword <word>', 'word to measure the recall of; may be repeated').argParser(
        collect(String),
      ),
    )
    .addOption(
      new Option('--profile <name>', 'caption rules to check').choices(Object.keys(CAPTION_PROFILES)),
    );
}

const HELP = `
Measures that --threshold can limit (a minimum for coverage, withText and recall, a maximum for the others):
${MEASURE_PATHS.map(({ path }) => `  ${path}`).join('\n')}

The word error rate is worse than the baseline only when all of the 95 % interval of the paired bootstrap
is above 0; other measures, and single cases, have tolerances.

Cassettes contain their results. With the flag --url, or a suite file that names a service, their audio is sent to that
service instead; RXSCRIBE_URL is not used for them.

Exit codes: 0 passed, 2 wrong usage, 3 input cannot be read, 4 the service did not start, 6 a limit was exceeded, a measure
got worse than the baseline, or a stream failed, 130 interrupted.`;

function toRun(
  paths: readonly string[],
  { keyword, maxWer: most, threshold, runs, ...flags }: ReplayFlags,
): ReplayRun {
  if (flags.update && flags.baseline === undefined) {
    throw new InvalidArgumentError('--update requires --baseline.');
  }
  // A service of the environment may not be needed.
  if (!flags.isUrlForAudio) checkServiceFlags(flags);
  const repeats = runs ?? flags.repeats;
  return { ...flags, repeats, paths, keywords: keyword, thresholds: { ...most, ...threshold } };
}

function maxWer(text: string): Thresholds {
  return { wer: { max: parseLimit('wer', text) } };
}

function collectLimits(text: string, previous: Thresholds = {}): Thresholds {
  return { ...previous, ...parseThreshold(text) };
}
