import { fromWire } from '../../../protocol/wireNames.ts';
import { type FaultSchedule, FaultScheduleSchema } from '../../play/faults/faultSchedule.ts';
import {
  SUITE_DEFAULTS,
  type SuiteCase,
  type SuiteFlags,
  type SuiteQuery,
  type Thresholds,
} from '../suite.ts';
import { withoutEnding } from './discover.ts';
import { thresholdOf, type WrittenLimit } from './limits.ts';
import { type CaseEntry, type CaseSettings, QuerySchema } from './suiteSchema.ts';

interface SuiteInput {
  readonly name: string;
  readonly input: SuiteCase['input'];
  readonly reference?: string;
}

/**
 * A case with all defaults filled in: what the command line says goes before what the case says, and that before what
 * the suite says of all.
 *
 * @param settings of the suite, then of the case
 */
export function suiteCase(
  { name, input, reference }: SuiteInput,
  settings: readonly CaseSettings[],
  flags: SuiteFlags & { readonly hasService?: boolean },
): SuiteCase {
  const { language, speed, rules, profile, keywords } = {
    ...Object.assign({}, ...settings),
    ...given(flags),
  };
  const last: CaseSettings = Object.assign({}, ...settings);
  const isCassette = input.kind === 'cassette';
  const faults = isCassette ? fromWire(FaultScheduleSchema, last.faults ?? []) : [];
  const query = Object.assign({}, ...settings.map(each => each.query));
  const answering = faults.length > 0 || !flags.hasService ? 'cassette' : 'service';
  return {
    name,
    input,
    ...(reference !== undefined && { reference }),
    ...(language !== undefined && { language }),
    ...(rules !== undefined && { rules }),
    query: fromWire(QuerySchema, query) as SuiteQuery,
    speed: speed ?? SUITE_DEFAULTS.speed,
    service: isCassette ? (last.service ?? answering) : 'service',
    faults: faults as FaultSchedule,
    keywords: keywords ?? [],
    profile: profile ?? SUITE_DEFAULTS.profile,
    thresholds: Object.assign({}, ...settings.map(each => thresholdsOf(each.thresholds))),
  };
}

/** Thresholds as suite files have them. */
export function thresholdsOf(written: Readonly<Record<string, unknown>> = {}): Thresholds {
  const limits = Object.entries(written).map(([path, limit]) => thresholdOf(path, limit as WrittenLimit));
  return Object.assign({}, ...limits);
}

/** Without those that were not given: they would hide what a file says. */
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The name of a case: its own, else its path without the ending. */
export function entryName({ name, audio, cassette }: CaseEntry): string {
  return name ?? withoutEnding((cassette ?? audio)!);
}
