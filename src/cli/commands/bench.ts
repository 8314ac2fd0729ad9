import { RAMP_DEFAULTS } from '../../replay/compare/streamRamp.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { ENGINE_OPTIONS } from '../flags/engineOptions.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import {
  ALIGNMENT,
  collect,
  integerFrom,
  refuseIf,
  seconds,
  serviceUrl,
  speed,
} from '../flags/optionValues.ts';
import { GROUP } from '../help/groups.ts';
import { benchedServices } from '../suite/benchServices.ts';

/** Streams that one machine can send at real time: beyond that, its own limits would be measured. */
const MAX_STREAMS = 1000;
const MAX_REPEATS = 1000;

const ACCESS_OPTIONS = optionGroup(GROUP.service, {
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

const MEASURE_OPTIONS = [
  optionGroup(GROUP.streams, {
    '--speed <factor>': {
      help: 'multiple of real time, or max',
      parse: speed,
      otherwise: 'that of the suite, else 1',
    },
    '--repeats <number>': {
      help: 'number of times to stream each recording',
      parse: integerFrom(1, MAX_REPEATS),
      otherwise: 'that of the suite, else 1',
    },
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
    '--language <code>': 'language of the speech',
  }),
  optionGroup(GROUP.scores, {
    '--rules <name>': { help: 'rules that make words comparable', otherwise: 'by the language' },
    '--alignment <rule>': ALIGNMENT,
  }),
  optionGroup(GROUP.output, {
    '--viewers': 'measure what viewers of live captions saw, by kind of output',
    '--json': 'print one JSON object a line: each service with all its measures',
  }),
] as const;

/** `rxscribe bench`, which compares services on the same recordings. */
export const benchCommand = defineCommand({
  name: 'bench',
  description: 'compare services on the same recordings: words, delay, stability, streams held',
  examples: ['rxscribe bench samples --url embedded --url https://speech.example.org --repeats 3'],
  arguments: [
    ['<path...>', 'recordings with their references beside them, directories of them, or a suite file'],
  ],
  options: [ACCESS_OPTIONS, ...MEASURE_OPTIONS, ENGINE_OPTIONS],
  notes: `
Services take turns with each recording, so that only one is under load at a time. A number of streams is held
when none of them fails and the p95 delay of their finals is at most --max-added-delay above that of one stream.
A difference is beyond chance when 0 is not in its 95 % confidence interval (bootstrap). Without --token,
RXSCRIBE_TOKEN is the token of --url, where all addresses have one host and port. The url, concurrency, thresholds and tolerances of a suite file only
apply to replay: bench streams to the services of --url, one recording at a time, and judges nothing. For the capacity of one service, with jobs and longer loads, see 'rxscribe load'.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 the embedded service did not start, 6 a stream failed, 130
interrupted.`,
  async run({ args: [paths], flags, context }) {
    const { url, token, name, ...more } = flags;
    const services = benchedServices({ url, token, name }, context.env.RXSCRIBE_TOKEN);
    const isEmbedded = services.some(service => service.kind === 'embedded');
    const hasEngines = (flags.engine ?? flags.model ?? flags.pause) !== undefined;
    refuseIf(hasEngines && !isEmbedded, '--engine, --model and --pause require --url embedded.');
    const { runBench } = await import('../suite/benchRun.ts');
    await runBench(context, { ...more, paths, services });
  },
});
