import { toHaveCerBelow, toHaveWerBelow } from './errorRateMatchers.ts';
import { toBeStable } from './toBeStable.ts';
import { toCover } from './toCover.ts';
import { toHaveDelayBelow } from './toHaveDelayBelow.ts';
import { toKeepCaptionRules } from './toKeepCaptionRules.ts';
import { toMatchCassette } from './toMatchCassette.ts';
import { toMatchTranscript } from './toMatchTranscript.ts';
import { toTranscribe } from './toTranscribe.ts';

/** Matchers as plain functions, for `expect.extend`. */
export const replayMatchers = {
  toMatchTranscript,
  toHaveWerBelow,
  toHaveCerBelow,
  toTranscribe,
  toHaveDelayBelow,
  toBeStable,
  toCover,
  toKeepCaptionRules,
  toMatchCassette,
} as const;

/** Whatever takes matchers: `expect` of vitest, or of Jest. */
export interface ExtensibleExpect {
  // biome-ignore lint/suspicious/noExplicitAny: each runner has matchers of its own type
  extend(matchers: any): void;
}

/**
 * Gives the matchers to an `expect`; `import 'rxscribe/vitest'` gives them to that of vitest.
 *
 * @example
 * registerMatchers(expect);
 */
export function registerMatchers(expect: ExtensibleExpect): void {
  expect.extend(replayMatchers);
}
