import { RAMP_DEFAULTS } from '../../replay/compare/streamRamp.ts';
import { ENGINE_OPTIONS } from './engineOptions.ts';
import {
  GATE_OPTIONS,
  REPORT_OPTIONS,
  STREAM_OPTIONS,
  suiteNumber,
  VIEWERS_OPTION,
  WORD_OPTIONS,
} from './gateOptions.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { collect, integerFrom, seconds, serviceUrl } from './optionValues.ts';

/** Streams that one machine can send at real time: beyond that, its own limits would be measured. */
const MAX_STREAMS = 1000;

const ACCESS_OPTIONS = optionGroup('Service', {
  '--url <url>': {
    help: 'service to compare, or embedded for one inside this process; may be repeated',
    env: 'RXSCRIBE_URL',
    parse: collect(serviceUrl),
    otherwise: 'embedded',
  },
  '--token <token>': {
    help: 'access token of each --url, in their order; may be repeated',
    parse: collect(String),
  },
  '--name <name>': { help: 'name of each service, in their order; may be repeated', parse: collect(String) },
});

/** Options of `rxscribe bench`. */
export const BENCH_OPTIONS = [
  ACCESS_OPTIONS,
  optionGroup('Streams', {
    ...STREAM_OPTIONS,
    '--repeats <number>': suiteNumber('number of times to stream each recording'),
    '--max-streams <number>': {
      help: 'maximum number of concurrent streams to try, at real time; 0: do not try',
      parse: integerFrom(0, MAX_STREAMS),
      otherwise: `${RAMP_DEFAULTS.maxStreams}, or 0 at another --speed`,
    },
    '--max-added-delay <seconds>': {
      help: 'delay of finals that concurrent streams may add',
      parse: seconds,
      default: RAMP_DEFAULTS.maxAddedDelaySeconds,
    },
  }),
  optionGroup('Scores', WORD_OPTIONS),
  GATE_OPTIONS,
  optionGroup('Output', {
    ...REPORT_OPTIONS,
    ...VIEWERS_OPTION,
    '--json': 'print one JSON object a line: each service with all its measures',
  }),
  ENGINE_OPTIONS,
] as const;

/** Flags of `rxscribe bench`. */
export type BenchFlags = FlagsOf<typeof BENCH_OPTIONS>;
