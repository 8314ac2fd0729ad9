import { defined } from '../../../base/defined.ts';
import { fromWire } from '../../../protocol/wireNames.ts';
import { FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';
import {
  SUITE_DEFAULTS,
  type Suite,
  type SuiteCase,
  type SuiteFlags,
  type SuiteQuery,
  type Thresholds,
} from '../suite.ts';
import { withoutEnding } from './discover.ts';
import { thresholdOf, type WrittenLimit } from './limits.ts';
import { type CaseEntry, type CaseSettings, QuerySchema, type SuiteFile } from './suiteSchema.ts';

interface SuiteInput {
  readonly name: string;
  readonly input: SuiteCase['input'];
  readonly reference?: string;
}

/**
 * Builds a case with all defaults. The command line overrides the case, which overrides the settings of the suite.
 *
 * @param settings of the suite, then of the case
 */
export function suiteCase(
  { name, input, reference }: SuiteInput,
  settings: readonly CaseSettings[],
  flags: SuiteFlags & { readonly hasService?: boolean },
): SuiteCase {
  const { language, speed, rules, keywords } = {
    ...Object.assign({}, ...settings),
    ...defined(flags),
  };
  const last: CaseSettings = Object.assign({}, ...settings);
  const isCassette = input.kind === 'cassette';
  const faults = flags.faults ?? fromWire(FaultScheduleSchema, last.faults ?? []);
  const query = Object.assign({}, ...settings.map(each => each.query));
  const answering = last.faults?.length || !flags.hasService ? 'cassette' : 'service';
  return {
    name,
    input,
    reference,
    language,
    rules,
    query: fromWire(QuerySchema, query) as SuiteQuery,
    speed: speed ?? SUITE_DEFAULTS.speed,
    service: isCassette ? (last.service ?? answering) : 'service',
    faults,
    expect: last.expect,
    keywords: keywords ?? [],
    thresholds: Object.assign({}, ...settings.map(each => thresholdsOf(each.thresholds))),
  };
}

/** Builds a suite of cases. The command line overrides the settings of the file, which override the defaults. */
export function suiteOf(
  { name, cases, equivalences }: Pick<Suite, 'name' | 'cases' | 'equivalences'>,
  file: Partial<SuiteFile>,
  flags: SuiteFlags,
): Suite {
  const { concurrency, seed, url } = { ...SUITE_DEFAULTS, ...file, ...defined(flags) };
  return {
    name,
    cases,
    equivalences,
    concurrency,
    seed,
    url,
    thresholds: { ...thresholdsOf(file.thresholds), ...flags.thresholds },
  };
}

/** Converts the thresholds of a suite file. */
function thresholdsOf(written: Readonly<Record<string, unknown>> = {}): Thresholds {
  const limits = Object.entries(written).map(([path, limit]) => thresholdOf(path, limit as WrittenLimit));
  return Object.assign({}, ...limits);
}

/** Returns the name of a case: its own, or else its path without extension. */
export function entryName({ name, audio, cassette }: CaseEntry): string {
  return name ?? withoutEnding(cassette ?? audio ?? '');
}
