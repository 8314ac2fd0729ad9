import { textWidth } from '../text/textWidth.ts';
import { BREAK_COST, breakCost } from './breakCost.ts';
import type { CaptionProfile } from './captionProfile.ts';
import type { TimedToken } from './timedTokens.ts';

/** A silence of this length, in seconds, is as good a place to break as a clause. */
const BREATH_SECONDS = 0.3;
/** Each line, so that text is not cut up without need. */
const LINE_COST = 2;
/** Times the square of how full a line is: least where lines are even. */
const FULL_LINE_COST = 3;
const ORPHAN_COST = 8;
/** A lone token narrower than this is an orphan. */
const ORPHAN_COLUMNS = 9;

/** One way to set a cue. */
export interface Layout {
  readonly cost: number;
  /** Where each line ends: the index of the token after it. */
  readonly ends: readonly number[];
}

/** Finds the best lines for cues that begin at a given token. */
export interface LayoutFinder {
  /** What it costs to break after token `index`. */
  readonly breakAfter: readonly number[];
  /** The best layout for each end that a cue beginning at `start` can have. */
  layoutsFrom(start: number): ReadonlyMap<number, Layout>;
}

export function layoutFinder(
  tokens: readonly TimedToken[],
  profile: CaptionProfile,
  language: string,
): LayoutFinder {
  const widths = tokens.map(token => textWidth(token.text));
  const breakAfter = tokens.map((token, index) => costAfter(token, tokens[index + 1], language));

  /** The cost of each line that can begin at a token, by the line's end. */
  const linesFrom = tokens.map((_, start) => {
    const costs: number[] = [];
    let width = -1;
    for (let end = start + 1; end <= tokens.length; end++) {
      width += widths[end - 1]! + 1;
      if (width > profile.columns && end > start + 1) break;
      costs.push(LINE_COST + FULL_LINE_COST * (width / profile.columns) ** 2);
    }
    return costs;
  });
  const orphan = (start: number, end: number) =>
    end - start === 1 && widths[start]! < ORPHAN_COLUMNS ? ORPHAN_COST : 0;

  function addLine(layouts: ReadonlyMap<number, Layout>, start: number): Map<number, Layout> {
    const longer = new Map<number, Layout>();
    for (const [at, { cost, ends }] of layouts) {
      if (at === tokens.length) continue;
      const soFar = cost + breakAfter[at - 1]! + (ends.length === 1 ? orphan(start, at) : 0);
      linesFrom[at]!.forEach((line, index) => {
        const end = at + index + 1;
        keepCheaper(longer, end, { cost: soFar + line + orphan(at, end), ends: [...ends, end] });
      });
    }
    return longer;
  }

  return {
    breakAfter,
    layoutsFrom(start) {
      const best = new Map<number, Layout>();
      let layouts = new Map<number, Layout>(
        linesFrom[start]!.map((cost, index) => [start + index + 1, { cost, ends: [start + index + 1] }]),
      );
      for (let row = 1; row <= profile.rows; row++) {
        for (const [end, layout] of layouts) keepCheaper(best, end, layout);
        if (row < profile.rows) layouts = addLine(layouts, start);
      }
      return best;
    },
  };
}

function costAfter(token: TimedToken, next: TimedToken | undefined, language: string): number {
  if (!next) return BREAK_COST.sentence;
  const cost = breakCost(token.text, next.text, language);
  return next.ts - token.endTs >= BREATH_SECONDS ? Math.min(cost, BREAK_COST.clause) : cost;
}

function keepCheaper(layouts: Map<number, Layout>, end: number, layout: Layout): void {
  const known = layouts.get(end);
  if (!known || layout.cost < known.cost) layouts.set(end, layout);
}
