import { InvalidArgumentError } from '../../base/errors.ts';
import { kindOf } from './matcherInput.ts';

/** What a matcher answers, as `expect.extend` wants it. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What a matcher found, in words that make a sentence: `expected <subject> to <claim>, but <found>`. */
export interface Finding {
  readonly pass: boolean;
  readonly subject: string;
  readonly claim: string;
  readonly found: string;
  /** Shown below, where the matcher fails. */
  readonly details?: () => string;
}

/** A verdict whose message is right for a matcher that failed, and for one behind `.not` that did not. */
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

/** A measure as messages show it: four digits behind the point at most. */
export function shown(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** @throws InvalidArgumentError for a limit that nothing can be compared with */
export function checkedLimit(limit: number, matcher: string): number {
  if (typeof limit === 'number' && !Number.isNaN(limit)) return limit;
  throw new InvalidArgumentError(
    `${matcher}: wanted a limit that is a number, found ${typeof limit === 'number' ? 'NaN' : kindOf(limit)}`,
  );
}
