import type { GateCheck } from '../report/report.ts';
import type { TokenErrors } from '../score/errorCounts.ts';
import type { BaselineFile } from './baseline.ts';

/** A case that a baseline and a report have. */
export interface BaselinePair {
  readonly name: string;
  readonly before: BaselineFile;
  readonly after: BaselineFile;
}

/** All errors of a case, and all words of its reference. */
export function errorsOf({ segments }: Pick<BaselineFile, 'segments'>): TokenErrors {
  const sum = (name: keyof TokenErrors) => segments.reduce((total, segment) => total + segment[name], 0);
  return { tokens: sum('tokens'), errors: sum('errors') };
}

/** Something to be told of a comparison that is no figure. */
export function baselineNote(message: string, passed: boolean, file?: string): GateCheck {
  const of = file !== undefined && { file };
  return { kind: 'baseline', ...of, measure: 'baseline', passed, message, value: null, limit: 0 };
}
