import { extname } from 'node:path';
import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import { DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { type ComparedStream, runComparison } from '../../replay/compare/runComparison.ts';
import type { ServiceComparison } from '../../replay/compare/serviceComparison.ts';
import { type ComparedService, RAMP_DEFAULTS } from '../../replay/compare/streamRamp.ts';
import { countFailed } from '../../replay/report/figures.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import type { Suite } from '../../replay/suite/suite.ts';
import type { Context, Output } from '../context.ts';
import type { BenchFlags } from '../flags/benchOptions.ts';
import { thresholdsOf } from '../flags/gateOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { benchTable, isLost } from '../print/benchTable.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { gateText } from '../print/reportText.ts';
import { linesText } from '../print/table.ts';
import { readyService } from '../service/startEmbedded.ts';
import type { BenchedService } from './benchServices.ts';
import { GITHUB, isForGithub, printResults } from './githubOutput.ts';
import { checkReports, comparedBaseline, exitCodeOfGates, saveReport } from './saveReport.ts';
import { type ViewerMeter, viewerMeter, viewersText } from './viewerMeasures.ts';

/** One run of `rxscribe bench`. */
export interface BenchRun extends Omit<BenchFlags, 'url' | 'token' | 'name' | 'keyword'> {
  readonly keywords?: readonly string[];
  readonly paths: readonly string[];
  readonly services: readonly BenchedService[];
}

/** Streams recordings to several services, and prints the results side by side. */
export async function runBench(context: Context, run: BenchRun): Promise<void> {
  const { stdout } = context;
  await checkReports(run);
  const suffixes =
    run.services.length === 1 ? [''] : run.services.map(({ name }) => `-${name.replace(/[^\w.-]+/g, '-')}`);
  refuseIf(
    run.report.length > 0 && new Set(suffixes).size < suffixes.length,
    'Two services have the same file of --report. Give each another --name.',
  );
  await interruptible(context, async ({ progress, signal }) => {
    const meters = new Map(run.viewers ? run.services.map(({ name }) => [name, viewerMeter()]) : []);
    // Any address makes the suite send its cassettes to a service.
    const flags = { ...run, url: run.services[0]?.name, thresholds: thresholdsOf(run) };
    const suite = await readSuite(run.paths, flags, { signal });
    const comparisons = await compare(context, run, { suite, progress, signal, meters });
    progress.hide();
    const text = run.json ? jsonLines(comparisons, meters) : benchText(comparisons, meters, stdout);
    printResults(context, text, isForGithub(context, run.report), run.json);
    noteFailures(comparisons, progress);
    for (const [index, { report, name }] of comparisons.entries()) {
      const viewed = { ...report, viewers: meters.get(name)?.measures() };
      const paths = run.report.map(path => pathFor(path, suffixes[index]!));
      await saveReport(context, viewed, { suite, run: { ...run, report: paths } });
    }
    context.exitCode = exitCodeOfGates(comparisons.map(({ report }) => report.gate));
  });
}

/** Returns the path of the report of a service: with its name, where there are several. */
function pathFor(path: string, suffix: string): string {
  const extension = extname(path);
  return path === GITHUB ? path : `${path.slice(0, -extension.length)}${suffix}${extension}`;
}

function benchText(
  comparisons: readonly ServiceComparison[],
  meters: BenchContext['meters'],
  output: Output,
): string {
  const viewers = [...meters].map(([name, meter]) => `\n${viewersText(meter.measures(), output, name)}`);
  const gates = comparisons.flatMap(({ name, report }) =>
    report.gate.checks.length === 0 ? [] : [`\n${name}\n${gateText(report, output)}`],
  );
  return [benchTable(comparisons, output), ...viewers, ...gates].join('');
}

interface BenchContext extends Work {
  readonly suite: Suite;
  /** Meters of `--viewers`, by the names of the services. */
  readonly meters: ReadonlyMap<string, ViewerMeter>;
}

async function compare(
  context: Context,
  run: BenchRun,
  { suite, progress, signal, meters }: BenchContext,
): Promise<readonly ServiceComparison[]> {
  const { services, maxAddedDelay, strict: isStrict } = run;
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
      baseline: await comparedBaseline(run),
      isStrict,
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

function jsonLines(comparisons: readonly ServiceComparison[], meters: BenchContext['meters']): string {
  const lines = comparisons.map(({ report: { report: _, version, ...report }, ...more }) => {
    const { files, gate } = report;
    const measured = isLost(report) ? { files, gate } : report;
    const viewers = meters.get(more.name)?.measures();
    return printableJson({ ...more, failures: countFailed(files), ...measured, viewers });
  });
  return linesText(lines);
}

/** Notes the streams that failed. */
function noteFailures(comparisons: readonly ServiceComparison[], progress: ProgressLine): void {
  for (const { name, report } of comparisons) {
    for (const { name: file, failure } of report.files) {
      if (failure !== undefined) progress.note(`${name}: ${file}: ${failure}`);
    }
  }
}
