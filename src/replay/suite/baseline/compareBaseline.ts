import { alignWords } from '../../align/alignWords.ts';
import type { GateCheck } from '../../report/report.ts';
import { type Baseline, type BaselinePair, baselineNote } from './baseline.ts';
import { compareCaseErrors, compareErrors, compareMeasures, listText } from './compareErrors.ts';

interface ComparisonOptions {
  /** True to fail for each word that is newly wrong. */
  readonly isStrict?: boolean;
  /** Names of files whose streams failed, which is not a change of the suite. */
  readonly failed?: ReadonlySet<string>;
}

/**
 * Compares a report with a baseline: the words of all cases together, of which more may be newly wrong than chance explains,
 * and those of each case; then the other measures, which fail only for cassettes. A case that cannot be compared any more
 * fails; a case that is missing in the baseline, or in another suite, is named.
 */
export function compareBaseline(
  before: Baseline,
  after: Baseline,
  { isStrict, failed = new Set() }: ComparisonOptions = {},
): readonly GateCheck[] {
  const pairs = pairsOf(before, after);
  const others = otherNames(before, after).filter(({ file }) => file === undefined || !failed.has(file));
  const notes = [...others, ...pairs.flatMap(incomparable)];
  const comparable = pairs.filter(pair => incomparable(pair).length === 0);
  if (comparable.length === 0) {
    return [...notes, baselineNote('no case can be compared with the baseline', false)];
  }
  return [
    ...notes,
    ...compareErrors(comparable),
    ...comparable.flatMap(pair => compareCaseErrors(pair, isStrict)),
    ...compareMeasures(comparable),
  ];
}

const RECORDED_AGAIN = 'restore the cassette, or, if it was recorded again, run with --update';

/** Returns the words that differ, such as `2: cold → old`, by their index. */
function changedWords(before: string, after: string): readonly string[] {
  const [was, is] = [before.split(' '), after.split(' ')];
  return alignWords(was, is)
    .filter(({ type }) => type !== 'hit')
    .map(step => {
      const at = 'reference' in step ? step.reference : undefined;
      const to = 'hypothesis' in step ? step.hypothesis : undefined;
      const nothing = '(nothing)';
      return `${at ?? to}: ${at === undefined ? nothing : was[at]} → ${to === undefined ? nothing : is[to]}`;
    });
}

const NOT_COMPARABLE = 'not comparable with the baseline; run with --update to replace it';

function pairsOf(before: Baseline, after: Baseline): readonly BaselinePair[] {
  return Object.entries(after.files).flatMap(([name, file]) => {
    const was = Object.hasOwn(before.files, name) ? before.files[name] : undefined;
    return was ? [{ name, before: was, after: file }] : [];
  });
}

function otherNames(before: Baseline, after: Baseline): readonly GateCheck[] {
  const only = (these: Baseline, those: Baseline) =>
    Object.keys(these.files).filter(name => !Object.hasOwn(those.files, name));
  const isSame = before.suite === after.suite;
  const missing = isSame
    ? 'in the baseline, but not measured now; run with --update to remove it'
    : `in the baseline of ${before.suite}, but not in ${after.suite}`;
  return [
    ...only(before, after).map(name => baselineNote(missing, !isSame, name)),
    ...only(after, before).map(name => baselineNote('new: not in the baseline', true, name)),
  ];
}

function incomparable({ name, before, after }: BaselinePair): readonly GateCheck[] {
  const changed = (what: string) => [baselineNote(`the ${what}: ${NOT_COMPARABLE}`, false, name)];
  if (before.reference !== after.reference) {
    if (before.recorded !== undefined && after.recorded !== undefined) {
      const words = listText('the recording has other words', changedWords(before.recorded, after.recorded));
      return [baselineNote(`${words}: ${RECORDED_AGAIN}`, false, name)];
    }
    const what = before.reference === null ? 'is new' : after.reference === null ? 'is gone' : 'changed';
    return changed(`reference ${what}`);
  }
  // Without a reference, the rules were not applied.
  if (before.reference !== null && before.rules !== after.rules) {
    return changed(`rules changed from ${before.rules} to ${after.rules}`);
  }
  if (before.speed !== after.speed) return changed(`speed changed from ${before.speed} to ${after.speed}`);
  return [];
}
