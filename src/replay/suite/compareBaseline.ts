import { measureText, percent } from '../report/figures.ts';
import type { GateCheck, Interval } from '../report/report.ts';
import { differenceInterval } from '../score/bootstrap.ts';
import type { Baseline, BaselineFile, BaselineSegment } from './baseline.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';
import { measurePath } from './measurePaths.ts';

export interface ComparisonOptions {
  /** Of the bootstrap. */
  readonly seed: number;
  /** By path: instead of {@link BASELINE_TOLERANCES}, and of the word error rate besides its interval. */
  readonly tolerances?: Readonly<Record<string, number>>;
}

/** A case that both have. */
interface Pair {
  readonly name: string;
  readonly before: BaselineFile;
  readonly after: BaselineFile;
}

/**
 * What got worse. The word error rate is worse only when all of the 95 % interval of the paired bootstrap lies above 0
 * (or above its tolerance); of all else the means over the cases are compared, with a tolerance. Cases that only one
 * side has are named; those that cannot be compared fail.
 */
export function compareBaseline(
  before: Baseline,
  after: Baseline,
  { seed, tolerances = {} }: ComparisonOptions,
): readonly GateCheck[] {
  if (before.alignment !== after.alignment) {
    const changed = `the alignment changed from ${before.alignment} to ${after.alignment}`;
    return [note(`${changed}: ${NOT_COMPARABLE}`, false)];
  }
  const pairs = pairsOf(before, after);
  const notes = [...otherNames(before, after), ...pairs.flatMap(incomparable)];
  const comparable = pairs.filter(pair => incomparable(pair).length === 0);
  if (comparable.length === 0) return [...notes, note('no case can be compared with the baseline', false)];
  return [
    ...notes,
    ...compareErrors(comparable, { seed, tolerance: tolerances.wer ?? 0 }),
    ...Object.entries(BASELINE_TOLERANCES).flatMap(([path, { absolute, relative }]) => {
      const own = tolerances[path];
      const allowed = (was: number) => own ?? Math.max(absolute, relative * was);
      return compareMeans(comparable, path, allowed);
    }),
  ];
}

const NOT_COMPARABLE = 'not comparable with the baseline; --update takes this as the new one';

function pairsOf(before: Baseline, after: Baseline): readonly Pair[] {
  return Object.entries(after.files).flatMap(([name, file]) => {
    const was = Object.hasOwn(before.files, name) ? before.files[name] : undefined;
    return was ? [{ name, before: was, after: file }] : [];
  });
}

function otherNames(before: Baseline, after: Baseline): readonly GateCheck[] {
  const only = (these: Baseline, those: Baseline) =>
    Object.keys(these.files).filter(name => !Object.hasOwn(those.files, name));
  return [
    ...only(before, after).map(name => note('in the baseline, but not in this run', true, name)),
    ...only(after, before).map(name => note('new: not in the baseline', true, name)),
  ];
}

function incomparable({ name, before, after }: Pair): readonly GateCheck[] {
  if (before.reference !== after.reference) {
    const what = before.reference === null ? 'is new' : after.reference === null ? 'is gone' : 'changed';
    return [note(`the reference ${what}: ${NOT_COMPARABLE}`, false, name)];
  }
  // Without a reference, nothing was done by them.
  if (before.reference !== null && before.rules !== after.rules) {
    return [note(`the rules changed from ${before.rules} to ${after.rules}: ${NOT_COMPARABLE}`, false, name)];
  }
  if (before.speed !== after.speed) {
    return [note(`the speed changed from ${before.speed} to ${after.speed}: ${NOT_COMPARABLE}`, false, name)];
  }
  return [];
}

function note(message: string, passed: boolean, file?: string): GateCheck {
  const of = file !== undefined && { file };
  return { kind: 'baseline', ...of, measure: 'baseline', passed, message, value: null, limit: 0 };
}

function compareErrors(
  pairs: readonly Pair[],
  { seed, tolerance }: { readonly seed: number; readonly tolerance: number },
): readonly GateCheck[] {
  const before = pairs.flatMap(pair => pair.before.segments);
  const after = pairs.flatMap(pair => pair.after.segments);
  const [was, is] = [rateOf(before), rateOf(after)];
  if (was === null || is === null) return [];
  const interval = differenceInterval(before, after, seed);
  const passed = interval === null || interval.low <= tolerance;
  return [
    {
      kind: 'baseline',
      ...{ measure: 'wer', passed, value: is, limit: was + tolerance, baseline: was },
      message: errorsText(was, is, interval),
      ...(interval && { interval }),
    },
  ];
}

function errorsText(was: number, is: number, interval: Interval | null): string {
  const change = `wer was ${percent(was)} and is ${percent(is)}`;
  if (!interval) return `${change}: too few words to tell that from noise`;
  return `${change}: a difference of ${points(interval.low)} to ${points(interval.high)} points, with 95 % confidence`;
}

const points = (part: number) => (100 * part).toFixed(2);

function rateOf(segments: readonly BaselineSegment[]): number | null {
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  return tokens > 0 ? segments.reduce((sum, { errors }) => sum + errors, 0) / tokens : null;
}

function compareMeans(
  pairs: readonly Pair[],
  path: string,
  allowed: (was: number) => number,
): readonly GateCheck[] {
  const values = pairs.flatMap(({ before, after }) => {
    const [was, is] = [before.measures[path], after.measures[path]];
    return was === undefined || is === undefined ? [] : [{ was, is }];
  });
  if (values.length === 0) return [];
  const was = values.reduce((sum, value) => sum + value.was, 0) / values.length;
  const is = values.reduce((sum, value) => sum + value.is, 0) / values.length;
  const isLeast = measurePath(path)?.limit === 'min';
  const limit = isLeast ? was - allowed(was) : was + allowed(was);
  const passed = isLeast ? is >= limit : is <= limit;
  const [wasText, isText, limitText] = [was, is, limit].map(value => measureText(path, value));
  const message = `${path} was ${wasText} and is ${isText}${passed ? '' : `, worse than ${limitText}`}`;
  return [{ kind: 'baseline', measure: path, passed, message, value: is, limit, baseline: was }];
}
