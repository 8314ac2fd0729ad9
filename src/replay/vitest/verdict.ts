import { InvalidArgumentError } from '../../base/errors.ts';
import { kindOf } from './matcherInput.ts';

/** The result of a matcher for `expect.extend`. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The findings of a matcher, as parts of a sentence: `expected <subject> to <claim>, but <found>`. */
export interface Finding {
  readonly pass: boolean;
  readonly subject: string;
  readonly claim: string;
  readonly found: string;
  /** Details that are shown after a failure. */
  readonly details?: () => string;
}

/** Returns a verdict whose message fits a matcher that failed, and one with `.not` that did not. */
export function verdict({ pass, subject, claim, found, details }: Finding): Verdict {
  return {
    pass,
    message: () => {
      const sentence = `expected ${subject} ${pass ? 'not ' : ''}to ${claim}, but ${found}`;
      const more = pass ? '' : (details?.() ?? '');
      return more === '' ? sentence : `${sentence}\n\n${more}`;
    },
  };
}

/** Formats a number with four decimals at most. */
export function shown(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** Returns a valid limit. @throws InvalidArgumentError for a limit that is not a number */
export function checkedLimit(limit: number, matcher: string): number {
  if (typeof limit === 'number' && !Number.isNaN(limit)) return limit;
  throw new InvalidArgumentError(
    `The limit of ${matcher}() must be a number, not ${typeof limit === 'number' ? 'NaN' : kindOf(limit)}.`,
  );
}
