import type { LiveEvent } from '../../../../src/transcript/model/events.ts';
import { cueFigures } from './cueFigures.ts';
import { type Timed, type TimedStepOptions, timedSteps } from './timedSteps.ts';
import { type SpokenAt, type ViewerFigures, viewerFigures } from './viewerFigures.ts';
import { VIEWERS } from './viewers.ts';

/**
 * Measures what viewers saw of the live captions of a recorded session: on each output with rows, and as finished captions.
 *
 * @param events events of the session in the order of their arrival, in milliseconds since a start
 * @param spokenAt returns the time of a position of the audio, in seconds, on the same clock
 * @example
 * const timed = events.map((value, index) => ({ atMs: 400 * index, value }));
 * for (const figures of viewerReport(timed, ts => 1000 * ts)) console.log(figures.name, shownUpwr(figures));
 */
export function viewerReport(
  events: readonly Timed<LiveEvent>[],
  spokenAt: SpokenAt,
  options: TimedStepOptions = {},
): readonly ViewerFigures[] {
  const steps = timedSteps(events, options);
  return [
    ...VIEWERS.map(viewer => viewerFigures(steps, viewer, spokenAt)),
    cueFigures(steps, spokenAt, options.profile),
  ];
}

/**
 * Adds the figures of several runs, output by output.
 *
 * @example
 * totalViewers([viewerReport([], () => 0), viewerReport([], () => 0)])[0]?.finalWords; // 0
 */
export function totalViewers(runs: readonly (readonly ViewerFigures[])[]): readonly ViewerFigures[] {
  const byName = Map.groupBy(runs.flat(), ({ name }) => name);
  return [...byName.values()].map(figures => figures.reduce(sumOf));
}

function sumOf(one: ViewerFigures, other: ViewerFigures): ViewerFigures {
  return {
    name: one.name,
    finalWords: one.finalWords + other.finalWords,
    wrongWords: one.wrongWords + other.wrongWords,
    tailWords: one.tailWords + other.tailWords,
    movedWords: one.movedWords + other.movedWords,
    unseenWords: one.unseenWords + other.unseenWords,
    delays: [...one.delays, ...other.delays],
    violations: one.violations + other.violations,
    fastCaptions: one.fastCaptions + other.fastCaptions,
    stuckSeconds: one.stuckSeconds + other.stuckSeconds,
  };
}

/**
 * Returns the unstable partial word ratio of the shown text: wrong and moved words, and with the tail those taken back, each
 * counted against the words of finals.
 *
 * @example
 * shownUpwr(viewerReport([], () => 0)[0]!, { withTail: true }); // 0
 */
export function shownUpwr(
  { wrongWords, movedWords, tailWords, finalWords }: ViewerFigures,
  { withTail = false }: { readonly withTail?: boolean } = {},
): number {
  return (wrongWords + movedWords + (withTail ? tailWords : 0)) / Math.max(1, finalWords);
}
