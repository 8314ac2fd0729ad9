import { InvalidArgumentError } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import { DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { type ComparedStream, runComparison } from '../../replay/compare/runComparison.ts';
import type { ServiceComparison } from '../../replay/compare/serviceComparison.ts';
import { type ComparedService, RAMP_DEFAULTS } from '../../replay/compare/streamRamp.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import type { Suite } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { BenchFlags } from '../flags/benchOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { benchTable } from '../print/benchTable.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { linesText } from '../print/table.ts';
import { readyService } from '../service/startEmbedded.ts';
import type { BenchedService } from './benchServices.ts';
import { type ViewerMeter, viewerMeter, viewersText } from './viewerMeasures.ts';

/** One run of `rxscribe bench`. */
export interface BenchRun extends Omit<BenchFlags, 'url' | 'token' | 'name'> {
  readonly paths: readonly string[];
  readonly services: readonly BenchedService[];
}

/** Streams recordings to several services, and prints the results side by side. */
export async function runBench(context: Context, run: BenchRun): Promise<void> {
  const { stdout } = context;
  await interruptible(context, async ({ progress, signal }) => {
    const meters = new Map(run.viewers ? run.services.map(({ name }) => [name, viewerMeter()]) : []);
    const comparisons = await compare(context, run, { progress, signal, meters });
    progress.hide();
    stdout.write(run.json ? jsonLines(comparisons, meters) : benchTable(comparisons, stdout));
    if (!run.json) {
      for (const [name, meter] of meters) stdout.write(`\n${viewersText(meter.measures(), stdout, name)}`);
    }
    if (noteFailures(comparisons, progress)) context.exitCode = EXIT.worse;
  });
}

interface BenchContext extends Work {
  /** Meters of `--viewers`, by the names of the services. */
  readonly meters: ReadonlyMap<string, ViewerMeter>;
}

async function compare(
  context: Context,
  run: BenchRun,
  { progress, signal, meters }: BenchContext,
): Promise<readonly ServiceComparison[]> {
  const { services, language, rules, alignment, speed, repeats, maxAddedDelay } = run;
  // Any address makes the suite send its cassettes to a service.
  const flags = { language, rules, alignment, speed, repeats, url: services[0]?.name };
  const suite = await readSuite(run.paths, flags, { signal });
  const maxStreams = streamsToTry(suite, run);
  const isEmbedded = services.some(({ kind }) => kind === 'embedded');
  if (isEmbedded) progress.show('starting a service');
  const { engine, model, pause } = run;
  const engines = { brand: DEFAULT_BRAND, engine, model, pause };
  await using embedded = isEmbedded ? await readyService(context, engines, signal) : undefined;
  let begun = 0;
  const all = suite.cases.length * suite.repeats * services.length;
  const onStream = ({ service, case: { name }, streams }: ComparedStream) => {
    if (streams > 1) progress.show(`${service.name}: ${streams} streams at a time`);
    else progress.show(`${service.name}: ${name}`, begun++ / all);
  };
  return await runComparison(
    suite,
    services.map(service => comparedService(service, embedded)),
    {
      maxStreams,
      maxAddedDelaySeconds: maxAddedDelay,
      onStream,
      onRun: ({ service, streams }, streamed) => {
        if (streams === 1) meters.get(service.name)?.add(streamed);
      },
      signal,
      onWarning: (name, message) => progress.note(`${name}: ${message}`),
    },
  );
}

/** @throws InvalidArgumentError when streams are to be tried, but there are no delays at real time to compare with */
function streamsToTry({ cases }: Suite, { maxStreams }: BenchRun): number {
  if (cases.every(({ speed }) => speed === 1)) return maxStreams ?? RAMP_DEFAULTS.maxStreams;
  if (!maxStreams) return 0;
  throw new InvalidArgumentError('--max-streams requires --speed 1: it compares delays at real time.');
}

function comparedService(service: BenchedService, embedded: EmbeddedService | undefined): ComparedService {
  const { url, token } = service.kind === 'embedded' ? embedded! : service;
  return { name: service.name, shownAs: service.shownAs, url, token };
}

function jsonLines(
  comparisons: readonly ServiceComparison[],
  meters: ReadonlyMap<string, ViewerMeter>,
): string {
  const lines = comparisons.map(({ measures, ...more }) => {
    const viewers = meters.get(more.name)?.measures();
    return printableJson({ ...more, ...measures, viewers });
  });
  return linesText(lines);
}

/** Notes the streams that failed. Returns true when there are any. */
function noteFailures(comparisons: readonly ServiceComparison[], progress: ProgressLine): boolean {
  const notes = comparisons.flatMap(({ name, files }) =>
    files.flatMap(({ name: file, failure }) =>
      failure === undefined ? [] : [`${name}: ${file}: ${failure}`],
    ),
  );
  for (const note of notes) progress.note(note);
  return notes.length > 0;
}
