import { MEASURE_PATHS } from '../../replay/measure/measurePaths.ts';
import { isGiven } from '../flags/contextCommand.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { faultOption } from '../flags/faultOption.ts';
import {
  GATE_OPTIONS,
  REPORT_OPTIONS,
  STREAM_OPTIONS,
  suiteNumber,
  thresholdsOf,
  WORD_OPTIONS,
} from '../flags/gateOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { checkServiceFlags, serviceOptions } from '../flags/serviceOptions.ts';

const STREAMING = optionGroup('Streams', {
  ...STREAM_OPTIONS,
  '--concurrency <number>': suiteNumber('streams at a time'),
  '--fault <fault>': faultOption(),
});

const SCORE_OPTIONS = optionGroup('Scores', {
  '--reference <file>': {
    help: 'spoken text of the only recording',
    otherwise: 'the file of the same name beside it',
  },
  ...WORD_OPTIONS,
});

const OUTPUT_OPTIONS = optionGroup('Output', {
  ...REPORT_OPTIONS,
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
Measures that --threshold can limit (a minimum for coverage and recall, a maximum for the others):
${MEASURE_PATHS.map(({ path }) => `  ${path}`).join('\n')}

Compared with a baseline, words are worse when more of them are newly wrong than chance explains. The delays and
partials of a service are shown beside those of the baseline, and fail only for a --threshold; those of cassettes are exact.

Cassettes contain their results. With the flag --url, or a suite file that names a service, their audio is sent to that
service instead; RXSCRIBE_URL is not used for them.`,
  exitCodes: `
Exit codes: 0 passed, 2 wrong usage, 3 input cannot be read, 4 the service did not start, 6 a limit was exceeded, a measure
got worse than the baseline, or a stream failed, 7 only times were above a limit, and this process was too busy to measure them, 130 interrupted.`,
  async run({ args: [paths], flags, context, command }) {
    const { keyword: keywords, fault, strict: isStrict, ...more } = flags;
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
      isStrict,
      thresholds: thresholdsOf(flags),
      isUrlForAudio,
      isTokenGiven: isGiven(command, 'token'),
    });
  },
});
