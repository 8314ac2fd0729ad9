import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { delayQuantiles } from '../measure/delays.ts';
import type { MeasuredFile } from '../measure/fileReport.ts';
import { MachineWatch } from '../measure/machineWatch.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import type { Baseline } from '../suite/baseline/baseline.ts';
import { runCase } from '../suite/run/runCase.ts';
import { reportOf, timeNow } from '../suite/run/runSuite.ts';
import type { Suite, SuiteCase } from '../suite/suite.ts';
import { differenceOf, type ServiceComparison } from './serviceComparison.ts';
import { type ComparedService, inTurns, RAMP_DEFAULTS, type RampStep, rampServices } from './streamRamp.ts';

/** A stream of one recording to one service. */
export interface ComparedStream {
  readonly service: ComparedService;
  readonly case: SuiteCase;
  /** Counts from 1. */
  readonly repeat: number;
  /** Number of simultaneous streams, this one included. */
  readonly streams: number;
}

export interface ComparisonOptions {
  /** Maximum number of simultaneous streams to try; 0 for no trial. Default 0. */
  readonly maxStreams?: number;
  /** Maximum additional delay of finals under load, in seconds. Default 1. */
  readonly maxAddedDelaySeconds?: number;
  /** Baseline to compare each service with. */
  readonly baseline?: Baseline;
  /** True to fail for each word that is newly wrong. */
  readonly isStrict?: boolean;
  /** Called when a stream begins. */
  readonly onStream?: (stream: ComparedStream) => void;
  /** Called with the run of each stream when it is measured, for other measures. */
  readonly onRun?: (stream: ComparedStream, run: SessionRun) => void;
  /** Called for damaged audio, which is streamed as far as it goes. */
  readonly onWarning?: (name: string, message: string) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Milliseconds over which the starts of simultaneous streams are spread evenly, because otherwise their finals would
 * coincide.
 */
const SPREAD_MS = 1000;

/**
 * Streams the recordings of a suite to each service in turns, then in growing numbers at a time. A stream that fails is
 * counted and does not end the others.
 *
 * @throws InvalidArgumentError for a cassette that answers itself; the signal's reason
 */
export async function runComparison(
  suite: Suite,
  services: readonly ComparedService[],
  options: ComparisonOptions = {},
): Promise<readonly ServiceComparison[]> {
  using watch = new MachineWatch();
  const createdAt = timeNow();
  const { baseline, isStrict, clock = systemClock, signal } = options;
  const { maxStreams = 0, maxAddedDelaySeconds = RAMP_DEFAULTS.maxAddedDelaySeconds } = options;
  const own = suite.cases.find(({ service }) => service === 'cassette');
  if (own) {
    throw new InvalidArgumentError(
      `Case '${own.name}' cannot be compared: its cassette answers itself. Set its service to 'service', or leave it out.`,
    );
  }
  const repeats = Array.from({ length: suite.repeats }, (_, index) => index + 1);
  const items = repeats.flatMap(repeat => suite.cases.map(each => ({ case: each, repeat })));
  const stream = streamer(suite, options);
  const turn = async (service: ComparedService, item: (typeof items)[number]) => {
    const measured = await stream({ ...item, service, streams: 1 });
    return measured();
  };
  const alone = await inTurns(services, items, turn, signal);
  const machine = watch.state();
  const single = alone.map(({ rival, results }) => ({ service: rival, step: stepOf(1, results) }));
  const attempt = async (service: ComparedService, streams: number) => {
    const together = Array.from({ length: streams }, async (_, index) => {
      await delay((index * SPREAD_MS) / streams, { clock, signal });
      const each = suite.cases[index % suite.cases.length]!;
      return stream({ service, case: each, repeat: Math.floor(index / suite.cases.length) + 1, streams });
    });
    // Measured after all of them have ended, because measuring would delay the others.
    const measured = (await Promise.all(together)).map(measure => measure());
    return stepOf(streams, measured);
  };
  const ramp = { maxStreams, maxAddedDelaySeconds, signal };
  const held = maxStreams > 0 ? await rampServices(single, attempt, ramp) : [];
  return alone.map(({ rival: { name, shownAs }, results }, index) => {
    const named = { ...suite, name: services.length > 1 ? `${suite.name}, ${name}` : suite.name };
    const report = reportOf(named, results, { createdAt, baseline, isStrict, machine });
    const difference = index > 0 ? differenceOf(alone[0]!.results, results, suite.seed) : null;
    return { name, service: shownAs, report, difference, held: held[index] ?? null };
  });
}

/** Streams once and returns a function that measures the stream. */
type Streamer = (stream: ComparedStream) => Promise<() => MeasuredFile>;

function streamer(suite: Suite, { onStream, onRun, onWarning, signal }: ComparisonOptions): Streamer {
  return stream => {
    onStream?.(stream);
    const { case: suiteCase, repeat, service, streams } = stream;
    // Simultaneous streams are tested in real time.
    const paced = streams > 1 ? { ...suiteCase, speed: 1 } : suiteCase;
    return runCase(paced, repeat, {
      suite,
      service,
      signal,
      onRun: run => onRun?.(stream, run),
      onWarning: message => onWarning?.(suiteCase.name, message),
    });
  };
}

function stepOf(streams: number, files: readonly MeasuredFile[]): RampStep {
  return {
    streams,
    failures: files.filter(({ report }) => report.failure !== undefined).length,
    finalDelay: delayQuantiles(files.flatMap(({ parts }) => parts.delays?.final ?? []))?.p95 ?? null,
  };
}
