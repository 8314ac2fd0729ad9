import type { MeasuredFile } from '../../measure/fileReport.ts';
import { totalMeasures } from '../../measure/totalMeasures.ts';
import type { Cohort, GateCheck } from '../../report/report.ts';
import { cohortName, type Suite } from '../suite.ts';
import { thresholdChecks } from './gate.ts';

/** Returns the names of the cases of each cohort: those with the same value of a tag. */
export function namesByCohort({ cases }: Pick<Suite, 'cases'>): ReadonlyMap<string, ReadonlySet<string>> {
  const named = cases.flatMap(({ name, tags }) =>
    Object.entries(tags).map(([tag, value]) => ({ name, cohort: cohortName(tag, value) })),
  );
  const names = [...Map.groupBy(named, ({ cohort }) => cohort)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return new Map(names.map(([cohort, of]) => [cohort, new Set(of.map(({ name }) => name))]));
}

/** Measures each cohort by its streams that ended normally; one without any is left out. */
export function cohortsOf(
  suite: Pick<Suite, 'cases' | 'seed'>,
  measured: readonly MeasuredFile[],
): readonly Cohort[] {
  const well = measured.filter(({ report }) => report.failure === undefined);
  return [...namesByCohort(suite)].flatMap(([name, names]) => {
    const files = well.filter(({ report }) => names.has(report.name));
    return files.length === 0 ? [] : [{ name, files: names.size, ...totalMeasures(files, suite.seed) }];
  });
}

/** Checks the limits of cohorts. */
export function cohortChecks({ cohorts }: Suite, measured: readonly Cohort[]): readonly GateCheck[] {
  return cohorts.flatMap(({ tag, value, thresholds }) =>
    measured
      .filter(({ name }) =>
        value === undefined ? name.startsWith(cohortName(tag, '')) : name === cohortName(tag, value),
      )
      .flatMap(cohort => thresholdChecks(cohort, thresholds, { cohort: cohort.name })),
  );
}
