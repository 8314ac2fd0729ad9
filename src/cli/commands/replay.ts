import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import { isGiven } from '../flags/contextCommand.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { faultOption } from '../flags/faultOption.ts';
import {
  GATE_OPTIONS,
  REPORT_OPTIONS,
  STREAM_OPTIONS,
  suiteNumber,
  thresholdsOf,
  VIEWERS_OPTION,
  WORD_OPTIONS,
} from '../flags/gateOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { checkServiceFlags, serviceOptions } from '../flags/serviceOptions.ts';

const STREAMING = optionGroup('Streams', {
  ...STREAM_OPTIONS,
  '--runs <number>': suiteNumber('number of times to stream each file; the report shows how they differ'),
  '--concurrency <number>': suiteNumber('streams at a time'),
  '--fault <fault>': faultOption(),
});

const SCORE_OPTIONS = optionGroup('Scores', {
  '--reference <file>': {
    help: 'spoken text of the only recording',
    otherwise: 'the file of the same name beside it',
  },
  ...WORD_OPTIONS,
  '--profile <name>': {
    help: 'caption rules to check',
    choices: Object.keys(CAPTION_PROFILES) as CaptionProfileName[],
  },
});

const OUTPUT_OPTIONS = optionGroup('Output', {
  ...REPORT_OPTIONS,
  ...VIEWERS_OPTION,
  '--json': 'print the report as JSON',
});

/** `rxscribe replay`, which streams recordings and cassettes again, and reports how good the results are. */
export const replayCommand = defineCommand({
  name: 'replay',
  description:
    'stream recordings and cassettes again, and report whether words, delay or stability got worse',
  examples: [
    'rxscribe replay talk.cassette.jsonl --reference talk.txt --max-wer 20%',
    'rxscribe replay suite.yaml --baseline baseline.json --report report.html',
  ],
  arguments: [['<suite...>', 'suite.yaml, or recordings, cassettes and directories of them']],
  options: [
    STREAMING,
    SCORE_OPTIONS,
    GATE_OPTIONS,
    OUTPUT_OPTIONS,
    ...serviceOptions({ otherwise: 'that of the suite, else an embedded service' }),
  ],
  notes: `
Measures that --threshold can limit (a minimum for coverage, withText and recall, a maximum for the others):
${MEASURE_PATHS.map(({ path }) => `  ${path}`).join('\n')}

The word error rate is worse than the baseline only when all of the 95 % interval of the paired bootstrap
is above 0; other measures, and single cases, have tolerances.

Cassettes contain their results. With the flag --url, or a suite file that names a service, their audio is sent to that
service instead; RXSCRIBE_URL is not used for them.`,
  exitCodes: `
Exit codes: 0 passed, 2 wrong usage, 3 input cannot be read, 4 the service did not start, 6 a limit was exceeded, a measure
got worse than the baseline, or a stream failed, 7 only times were worse, on a machine too busy to measure them, 130 interrupted.`,
  async run({ args: [paths], flags, context, command }) {
    const { keyword: keywords, fault, runs: repeats, strict: isStrict, ...more } = flags;
    const isUrlForAudio = command.getOptionValueSource('url') === 'env';
    // A service of the environment may not be needed.
    if (!isUrlForAudio) checkServiceFlags(flags);
    const [{ parseFaults }, { runReplay }] = await Promise.all([
      import('../suite/parseFaults.ts'),
      import('../suite/replayRun.ts'),
    ]);
    await runReplay(context, {
      ...more,
      paths,
      keywords,
      faults: fault && parseFaults(fault),
      repeats,
      isStrict,
      thresholds: thresholdsOf(flags),
      isUrlForAudio,
      isTokenGiven: isGiven(command, 'token'),
    });
  },
});
