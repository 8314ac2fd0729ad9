import { textWidth } from '../text/textWidth.ts';
import { BREAK_COST, breakCost } from './breakCost.ts';
import { type CaptionProfile, comfortableSeconds, leastSeconds, readingAmount } from './captionProfile.ts';
import type { TimedToken } from './timedTokens.ts';

/** Cost of each cue, which favours long cues. */
const CUE_COST = 6;
/** Weight of a break between cues against one between lines. */
const CUE_BREAK_WEIGHT = 2;
/** Seconds of silence within a cue that cost nothing. */
const SILENCE_SECONDS = 0.5;
const SILENCE_COST_PER_SECOND = 6;
/** Multiplied by the missing fraction of the comfortable reading time. */
const HURRY_COST = 20;
/** Cost of a cue that cannot be on screen as long as the profile demands. */
const VIOLATION_COST = 15;

/** The best cue that begins at a token, and the total cost of it and all later cues. */
interface Step {
  readonly cost: number;
  readonly layout: Layout;
  /** Index of the first token of the next cue. */
  readonly end: number;
}

/**
 * Splits the tokens of one speaker into cues of lines, at the least total cost: of breaks by language (see `breakCost`), of
 * geometry, and of reading time. Uses dynamic programming from the end.
 *
 * @param nextTs start of the token after the last one, in seconds
 */
export function splitCues(
  tokens: readonly TimedToken[],
  profile: CaptionProfile,
  language: string,
  nextTs: number,
): readonly (readonly TimedToken[][])[] {
  const { layoutsFrom, breakAfter } = layoutFinder(tokens, profile, language);
  const timeCost = timeCosts(tokens, profile, nextTs);
  const steps: (Step | undefined)[] = [];
  for (let start = tokens.length - 1; start >= 0; start--) {
    let best: Step | undefined;
    for (const [end, layout] of layoutsFrom(start)) {
      const after = (steps[end]?.cost ?? 0) + CUE_BREAK_WEIGHT * breakAfter[end - 1]!;
      const cost = CUE_COST + layout.cost + timeCost(start, end) + after;
      if (!best || cost < best.cost) best = { cost, layout, end };
    }
    steps[start] = best;
  }
  const cues: TimedToken[][][] = [];
  for (let start = 0, step = steps[start]; step; start = step.end, step = steps[start]) {
    cues.push(linesOf(tokens, start, step.layout.ends));
  }
  return cues;
}

/** Returns a function that returns the cost of the timing of a cue from one token to another (exclusive). */
function timeCosts(tokens: readonly TimedToken[], profile: CaptionProfile, nextTs: number) {
  const amounts = sums(tokens.map(({ text }) => readingAmount(text, profile.speed.unit)));
  const spaces = profile.speed.unit === 'words' ? 0 : 1;
  const silences = sums(
    tokens.map(({ endTs }, index) => silenceCost((tokens[index + 1]?.ts ?? endTs) - endTs)),
  );
  return (start: number, end: number): number => {
    const { ts } = tokens[start]!;
    const words = end - start;
    if (words > 1 && tokens[end - 1]!.endTs - ts > profile.maxSeconds) return Number.MAX_SAFE_INTEGER;
    const amount = amounts[end]! - amounts[start]! + spaces * (words - 1);
    const wanted = comfortableSeconds(amount, words, profile);
    const room = (tokens[end]?.ts ?? nextTs) - ts;
    const hurry = Math.max(0, 1 - room / wanted);
    const short = room < leastSeconds(amount, words, profile) ? VIOLATION_COST : 0;
    return silences[end - 1]! - silences[start]! + HURRY_COST * hurry + short;
  };
}

const silenceCost = (seconds: number) => Math.max(0, seconds - SILENCE_SECONDS) * SILENCE_COST_PER_SECOND;

/** Returns the prefix sums of values. */
function sums(values: readonly number[]): readonly number[] {
  const result = [0];
  for (const value of values) result.push(result.at(-1)! + value);
  return result;
}

function linesOf(tokens: readonly TimedToken[], start: number, ends: readonly number[]): TimedToken[][] {
  return ends.map((end, row) => tokens.slice(ends[row - 1] ?? start, end));
}

/** Seconds of silence that make a break as good as one after a clause. */
const BREATH_SECONDS = 0.3;
/** Cost of each line, which avoids needless breaks. */
const LINE_COST = 2;
/** Multiplied by the square of the fill of a line; lowest for lines of equal width. */
const FULL_LINE_COST = 3;
const ORPHAN_COST = 8;
/** Columns below which a lone token on a line is an orphan. */
const ORPHAN_COLUMNS = 9;

/** One way to break a cue into lines. */
export interface Layout {
  readonly cost: number;
  /** End of each line: the index of the token after it. */
  readonly ends: readonly number[];
}

/** Finds the best layouts of cues. */
interface LayoutFinder {
  /** Cost of a break after each token. */
  readonly breakAfter: readonly number[];
  /** Returns the best layout of a cue beginning at `start`, by each end it can have. */
  layoutsFrom(start: number): ReadonlyMap<number, Layout>;
}

function layoutFinder(
  tokens: readonly TimedToken[],
  profile: CaptionProfile,
  language: string,
): LayoutFinder {
  const widths = tokens.map(token => textWidth(token.text));
  const breakAfter = tokens.map((token, index) => costAfter(token, tokens[index + 1], language));

  /** Costs of the lines that can begin at each token, in order of their ends. */
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
