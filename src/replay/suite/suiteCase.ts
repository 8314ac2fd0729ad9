import { fromWire } from '../../protocol/wireNames.ts';
import type { FaultSchedule } from '../play/faultSchedule.ts';
import { FaultScheduleSchema } from '../play/faultSchema.ts';
import { thresholdOf, type WrittenLimit } from './limits.ts';
import type { SuiteCase, SuiteQuery, Thresholds } from './suite.ts';
import { SUITE_DEFAULTS, type SuiteFlags } from './suiteFlags.ts';
import { type CaseSettings, QuerySchema } from './suiteSchema.ts';

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
