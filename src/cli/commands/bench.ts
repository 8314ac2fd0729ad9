import { refuseIf } from '../../base/errors.ts';
import { BENCH_OPTIONS } from '../flags/benchOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { benchedServices } from '../suite/benchServices.ts';

/** `rxscribe bench`, which compares services on the same recordings. */
export const benchCommand = defineCommand({
  name: 'bench',
  description: 'compare services on the same recordings: words, delay, stability, streams held',
  examples: ['rxscribe bench samples --url embedded --url https://speech.example.org --repeats 3'],
  arguments: [
    ['<path...>', 'recordings with their references beside them, directories of them, or a suite file'],
  ],
  options: BENCH_OPTIONS,
  notes: `
Services take turns with each recording, so that only one is under load at a time. A number of streams is held
when none of them fails and the p95 delay of their finals is at most --max-added-delay above that of one stream.
A difference is beyond chance when 0 is not in its 95 % confidence interval (bootstrap). Without --token,
RXSCRIBE_TOKEN is the token of --url, where all addresses have one host and port. The url and concurrency of a suite file only
apply to replay: bench streams to the services of --url, one recording at a time. Its limits, and those of the options, apply to
each service, as in replay; of several services, each has a report of its own, such as report-NAME.html. For the capacity of one service, with jobs and longer loads, see 'rxscribe load'.`,
  exitCodes: `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 the embedded service did not start, 6 a stream failed, a
limit was exceeded, or a measure got worse than the baseline, 130 interrupted.`,
  async run({ args: [paths], flags, context }) {
    const { url, token, name, keyword: keywords, ...more } = flags;
    const services = benchedServices({ url, token, name }, context.env.RXSCRIBE_TOKEN);
    refuseIf(
      flags.update && services.length > 1,
      '--update requires one service: a baseline has the words of one.',
    );
    const isEmbedded = services.some(service => service.kind === 'embedded');
    const hasEngines = (flags.engine ?? flags.model ?? flags.pause) !== undefined;
    refuseIf(hasEngines && !isEmbedded, '--engine, --model and --pause require --url embedded.');
    const { runBench } = await import('../suite/benchRun.ts');
    await runBench(context, { ...more, keywords, paths, services });
  },
});
