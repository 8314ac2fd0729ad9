import type { Output } from '../../../../src/cli/context.ts';
import { partsText } from '../../../../src/cli/print/table.ts';
import { audioTimes, type Quantiles, quantilesOf } from '../../../../src/replay/measure/delays.ts';
import { figure, percent, seconds } from '../../../../src/replay/report/figures.ts';
import type { SessionRun } from '../../../../src/replay/session/sessionRun.ts';
import { CAPTION_PROFILES } from '../../../../src/transcript/cues/captionProfile.ts';
import type { ViewerFigures } from './viewerFigures.ts';
import { shownUpwr, totalViewers, viewerReport } from './viewerReport.ts';

/** Measures of the captions that viewers of one kind of output saw, as in the JSON of a report. */
export interface ViewerMeasures extends Omit<ViewerFigures, 'name' | 'delays'> {
  readonly output: string;
  /** Share of shown words that were wrong or moved. */
  readonly upwr: number;
  /** `upwr` with the words of the tail that were taken back. */
  readonly upwrWithTail: number;
  /** Seconds from the end of a word until it was shown for good; null at `--speed max`. */
  readonly delay: Quantiles | null;
}

/** Measures what viewers saw in each of several runs. */
export interface ViewerMeter {
  add(run: SessionRun): void;
  /** Returns the measures over all runs, one per kind of output. */
  measures(): readonly ViewerMeasures[];
}

/** Creates a meter. @param profile limits of captions; that of the caption command by default */
export function viewerMeter(profile?: keyof typeof CAPTION_PROFILES): ViewerMeter {
  const runs: (readonly ViewerFigures[])[] = [];
  const options = profile === undefined ? {} : { profile: CAPTION_PROFILES[profile] };
  return {
    add(run) {
      if (run.failure !== undefined) return;
      const spokenAt = run.speed === 'max' ? () => undefined : audioTimes(run);
      runs.push(viewerReport(run.events, spokenAt, options));
    },
    measures: () => totalViewers(runs).map(measuresOf),
  };
}

function measuresOf(figures: ViewerFigures): ViewerMeasures {
  const { name: output, delays, ...counts } = figures;
  return {
    output,
    upwr: shownUpwr(figures),
    upwrWithTail: shownUpwr(figures, { withTail: true }),
    delay: quantilesOf(delays),
    ...counts,
  };
}

const COLUMNS: readonly (readonly [title: string, text: (measures: ViewerMeasures) => string])[] = [
  ['what viewers saw', ({ output }) => output],
  ['UPWR', ({ upwr }) => percent(upwr)],
  ['with tail', ({ upwrWithTail }) => percent(upwrWithTail)],
  ['word for good p50', ({ delay }) => seconds(delay?.p50)],
  ['p95', ({ delay }) => seconds(delay?.p95)],
  ['moved', ({ movedWords }) => figure(movedWords)],
  ['unseen', ({ unseenWords }) => figure(unseenWords)],
  ['violations', ({ violations }) => figure(violations)],
  ['too fast', ({ fastCaptions }) => figure(fastCaptions)],
  ['stuck', ({ stuckSeconds }) => seconds(stuckSeconds)],
];

/** Returns the measures as a table. @param name name of the service, where there are several */
export function viewersText(measures: readonly ViewerMeasures[], output: Output, name?: string): string {
  const [first = '', ...titles] = COLUMNS.map(([title]) => title);
  const head = [name === undefined ? first : `${first}, ${name}`, ...titles];
  const rows = measures.map(each => COLUMNS.map(([, text]) => text(each)));
  return partsText([head, ...rows], output);
}
