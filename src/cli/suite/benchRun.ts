import { InvalidArgumentError } from '../../base/errors.ts';
import { NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import type { AlignmentRule } from '../../replay/align/alignment.ts';
import { type ComparedStream, runComparison } from '../../replay/compare/runComparison.ts';
import type { ServiceComparison } from '../../replay/compare/serviceComparison.ts';
import type { ComparedService } from '../../replay/compare/streamRamp.ts';
import { DEFAULT_MAX_STREAMS } from '../../replay/compare/streamRamp.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import type { Suite } from '../../replay/suite/suite.ts';
import { EXIT } from '../exitCodes.ts';
import type { EngineFlags } from '../flags/engineOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { benchTable } from '../print/benchTable.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { readyService } from '../service/readyService.ts';
import type { BenchedService } from './benchServices.ts';

/** One run of `rxscribe bench`, as asked for. */
export interface BenchRun extends EngineFlags {
  readonly paths: readonly string[];
  readonly services: readonly BenchedService[];
  readonly speed?: number | 'max';
  readonly repeats?: number;
  /** 0: it is not tried how many are held. Default {@link DEFAULT_MAX_STREAMS} at real time, else 0. */
  readonly maxStreams?: number;
  /** Seconds. */
  readonly maxAddedDelay: number;
  readonly language?: string;
  readonly rules?: string;
  readonly alignment?: AlignmentRule;
  readonly json?: boolean;
}

/** Streams recordings to several services, and prints what came of each, side by side. */
export async function runBench(run: BenchRun): Promise<void> {
  using interruption = takeInterruptions();
  const { signal } = interruption;
  using progress = progressLine(process.stderr);
  try {
    const comparisons = await compare(run, progress, signal);
    progress.hide();
    process.stdout.write(run.json ? jsonLines(comparisons) : benchTable(comparisons));
    noteFailures(comparisons, progress);
  } catch (error) {
    // The exit code is set; there is nothing to explain.
    if (!signal.aborted) throw error;
  }
}

async function compare(
  run: BenchRun,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<readonly ServiceComparison[]> {
  const { services, language, rules, alignment, speed, repeats, maxAddedDelay } = run;
  // Of which service it is makes no difference, only that there is one to answer cassettes.
  const flags = { language, rules, alignment, speed, repeats, url: services[0]!.name };
  const suite = await readSuite(run.paths, flags, { signal });
  const maxStreams = streamsToTry(suite, run);
  await using embedded = await startEmbedded(run, progress, signal);
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
      ...{ maxStreams, maxAddedDelaySeconds: maxAddedDelay, onStream, signal },
      onWarning: (name, message) => progress.note(`${name}: ${message}`),
    },
  );
}

/** @throws InvalidArgumentError for streams that are to be tried where their delays have nothing to be compared with */
function streamsToTry({ cases }: Suite, { maxStreams }: BenchRun): number {
  if (cases.every(({ speed }) => speed === 1)) return maxStreams ?? DEFAULT_MAX_STREAMS;
  if (!maxStreams) return 0;
  throw new InvalidArgumentError(
    'bench: --max-streams goes with --speed 1, which its delays are compared with',
  );
}

async function startEmbedded(
  { services, engine, model, pause }: BenchRun,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<EmbeddedService | undefined> {
  if (!services.some(({ kind }) => kind === 'embedded')) return undefined;
  progress.show('starting a service');
  return readyService({ brand: NEUTRAL_BRAND, engine, model, pause }, signal);
}

function comparedService(service: BenchedService, embedded: EmbeddedService | undefined): ComparedService {
  const { url, token } = service.kind === 'embedded' ? embedded! : service;
  return { name: service.name, shownAs: service.shownAs, url, token };
}

function jsonLines(comparisons: readonly ServiceComparison[]): string {
  return comparisons.map(({ measures, ...more }) => `${JSON.stringify({ ...more, ...measures })}\n`).join('');
}

function noteFailures(comparisons: readonly ServiceComparison[], progress: ProgressLine): void {
  for (const { name, files } of comparisons) {
    for (const { name: file, failure } of files) {
      if (failure === undefined) continue;
      progress.note(`${name}: ${file}: ${failure}`);
      process.exitCode = EXIT.worse;
    }
  }
}
