/** Options of commands that score words and have a gate. */
import { refuseIf } from '../../base/errors.ts';
import { parseLimit, parseThreshold } from '../../replay/suite/read/limits.ts';
import type { Thresholds } from '../../replay/suite/suite.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { collect, integerFrom, speed } from './optionValues.ts';

const OF_SUITE = 'that of the suite, else 1';

/** Returns the option for a number in a suite, up to 1000. */
export const suiteNumber = (help: string) => ({ help, parse: integerFrom(1, 1000), otherwise: OF_SUITE });

/** Options of how recordings are streamed. */
export const STREAM_OPTIONS = {
  '--speed <factor>': { help: 'multiple of real time, or max', parse: speed, otherwise: OF_SUITE },
  '--language <code>': 'language of the speech',
} as const;

/** Options of how words are compared. */
export const WORD_OPTIONS = {
  '--rules <name>': {
    help: 'rules that make words comparable: english-1, unicode-1, plain-1',
    otherwise: 'by the language',
  },
  '--equivalences <file>': "texts that mean the same, a line each: 'ice cream = icecream'",
  '--keyword <word>': { help: 'word to measure the recall of; may be repeated', parse: collect(String) },
} as const;

/** Options of limits and a baseline, which make a run a gate. */
export const GATE_OPTIONS = optionGroup(
  'Limits',
  {
    '--max-wer <limit>': { help: 'highest word error rate, as 0.3 or 30%', parse: maxWer },
    '--threshold <path=limit>': {
      help: 'limit of a measure over all files; may be repeated',
      parse: collectLimits,
    },
    '--baseline <file>': 'file written by --update, to compare with',
    '--strict': 'fail for every word that is wrong now and was not in the baseline',
    '--update': 'write the baseline instead of comparing with it',
  },
  ({ update, strict, baseline }) => {
    refuseIf(update && baseline === undefined, '--update requires --baseline.');
    refuseIf(strict && (update || baseline === undefined), '--strict requires --baseline without --update.');
  },
);

/** Options of the files of a report, for a group of outputs. */
export const REPORT_OPTIONS = {
  '--report <file>': {
    help: 'write the report: .json, .xml (JUnit), .md or .html, or github (annotations and job summary, as in GitHub Actions); may be repeated',
    parse: collect(String),
    default: [],
  },
} as const;

/** Returns the limits of the command line. */
export function thresholdsOf({ maxWer, threshold }: FlagsOf<typeof GATE_OPTIONS>): Thresholds {
  return { ...maxWer, ...threshold };
}

function maxWer(text: string): Thresholds {
  return { wer: { max: parseLimit('wer', text) } };
}

function collectLimits(text: string, previous: Thresholds = {}): Thresholds {
  return { ...previous, ...parseThreshold(text) };
}
