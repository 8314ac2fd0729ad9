import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { parseLimit, parseThreshold } from '../../replay/suite/read/limits.ts';
import type { Thresholds } from '../../replay/suite/suite.ts';
import { CAPTION_PROFILES } from '../../transcript/cues/captionProfile.ts';
import { collect, integerFrom, speed } from '../flags/optionValues.ts';
import { addServiceOptions, checkServiceFlags, isGiven } from '../flags/serviceOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import type { ReplayRun } from '../suite/replayRun.ts';

const MOST_STREAMS = 1000;

/** `rxscribe replay`: recordings and cassettes streamed again, compared with what was said, in one report. */
export function replayCommand(): Command {
  const command = new Command('replay')
    .description(
      'stream recordings and cassettes again, and report whether words, delay or stability got worse',
    )
    .argument('<suite...>', 'suite.yaml, or recordings, cassettes and directories of them')
    .optionsGroup(GROUP.streams)
    .addOption(
      new Option('--speed <factor>', 'times real time, or max').default(undefined, '1').argParser(speed),
    )
    .addOption(
      new Option(
        '--runs <number>',
        'how often each is streamed; the report shows how the runs differ',
      ).argParser(integerFrom(1, MOST_STREAMS)),
    )
    // Its name of earlier releases, and of suite files.
    .addOption(new Option('--repeats <number>').argParser(integerFrom(1, MOST_STREAMS)).hideHelp())
    .addOption(
      new Option('--concurrency <number>', 'streams at a time').argParser(integerFrom(1, MOST_STREAMS)),
    )
    .option('--language <code>', 'language that is spoken');
  addScoreOptions(command)
    .optionsGroup(GROUP.limits)
    .addOption(new Option('--max-wer <limit>', 'most errors of words, as 0.3 or 30%').argParser(maxWer))
    .addOption(
      new Option('--threshold <path=limit>', 'limit of a measure of all files; may be repeated').argParser(
        collectLimits,
      ),
    )
    .option('--baseline <file>', 'what to compare with: what --update wrote, or a report')
    .option('--update', 'write the baseline instead of comparing with it')
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--report <file>', 'write the report: .json, .xml (JUnit), .md or .html; may be repeated')
        .argParser(collect(String))
        .default([]),
    )
    .option('--json', 'print the report as JSON')
    .addHelpText('after', notes(HELP))
    .action(async (paths: readonly string[], flags: ReplayFlags) => {
      const isUrlForAudio = command.getOptionValueSource('url') === 'env';
      const run = toRun(paths, { ...flags, isUrlForAudio, isTokenGiven: isGiven(command, 'token') });
      const { runReplay } = await import('../suite/replayRun.ts');
      await runReplay(run);
    });
  return addServiceOptions(command, { otherwise: 'that of the suite, else one of its own' });
}

function addScoreOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.scores)
    .addOption(
      new Option('--reference <file>', 'what is said in the only recording').default(
        undefined,
        'the file of its name beside it',
      ),
    )
    .addOption(
      new Option('--rules <name>', 'how words are made comparable: english-1, unicode-1, plain-1').default(
        undefined,
        'by the language',
      ),
    )
    .addOption(
      new Option('--alignment <rule>', 'how words are put side by side').choices(['levenshtein', 'sclite']),
    )
    .addOption(
      new Option('--keyword <word>', 'word whose recall is measured; may be repeated').argParser(
        collect(String),
      ),
    )
    .addOption(
      new Option('--profile <name>', 'whose rules captions are held to').choices(
        Object.keys(CAPTION_PROFILES),
      ),
    );
}

const HELP = `
Measures that can have a threshold, the most but of coverage and recall the least:
${MEASURE_PATHS.map(({ path }) => `  ${path}`).join('\n')}

The word error rate is worse than the baseline only when all of the 95 % interval of the paired bootstrap
lies above 0; other measures, and single cases, have tolerances.

Cassettes answer themselves; --url as a flag, or a suite file, sends their audio to a service. RXSCRIBE_URL does not.

Exit codes: 0 passed, 2 wrong usage, 3 input cannot be read, 4 the service did not start,
6 worse: a limit was not kept, it got worse than the baseline, or a stream failed, 130 interrupted.`;

interface ReplayFlags extends Omit<ReplayRun, 'paths' | 'keywords' | 'thresholds'> {
  readonly keyword?: readonly string[];
  readonly maxWer?: Thresholds;
  readonly threshold?: Thresholds;
  readonly runs?: number;
}

function toRun(
  paths: readonly string[],
  { keyword, maxWer: most, threshold, runs, ...flags }: ReplayFlags,
): ReplayRun {
  if (flags.update && flags.baseline === undefined) {
    throw new InvalidArgumentError('replay: --update goes with --baseline');
  }
  // The environment may name one that this run does not need.
  if (!flags.isUrlForAudio) checkServiceFlags(flags, 'replay');
  const repeats = runs ?? flags.repeats;
  return { ...flags, repeats, paths, keywords: keyword, thresholds: { ...most, ...threshold } };
}

function maxWer(text: string): Thresholds {
  return { wer: { max: parseLimit('wer', text) } };
}

function collectLimits(text: string, previous: Thresholds = {}): Thresholds {
  return { ...previous, ...parseThreshold(text) };
}
