import type { CaptionProfile, CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { Cassette } from '../cassette/cassette.ts';
import type { ReferenceFile, ReferenceValue } from './matcherInput.ts';
import {
  type DelayOptions,
  type StabilityLimits,
  toBeStable,
  toCover,
  toHaveDelayBelow,
} from './runMatchers.ts';
import { type TranscribeExpectation, toMatchCassette, toTranscribe } from './sessionMatchers.ts';
import { type CaptionOptions, toKeepCaptionRules } from './toKeepCaptionRules.ts';
import {
  type MatchOptions,
  type ScoringOptions,
  toHaveCerBelow,
  toHaveWerBelow,
  toMatchTranscript,
} from './wordMatchers.ts';

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

/** An object that accepts matchers, such as `expect` of Vitest or Jest. */
export interface ExtensibleExpect {
  // biome-ignore lint/suspicious/noExplicitAny: each runner has matchers of its own type
  extend(matchers: any): void;
}

/**
 * Adds the matchers to an `expect`; `import 'rxscribe/vitest'` adds them to that of Vitest.
 *
 * @example
 * registerMatchers(expect);
 */
export function registerMatchers(expect: ExtensibleExpect): void {
  expect.extend(replayMatchers);
}

/**
 * Matchers that `import 'rxscribe/vitest'` adds to `expect` of Vitest. A text, a transcript, the result of
 * `mergeTranscript` or a run can be checked for words; a matcher that reads a file or streams has to be awaited.
 *
 * @example
 * await expect(transcribe({ url, token })).toTranscribe('talk.wav', { as: { path: 'talk.txt' }, maxWer: 0.1 });
 */
export interface ReplayMatchers<R> {
  /** Checks that the words are those of a reference; with `maxWer` up to that word error rate. */
  toMatchTranscript(reference: ReferenceValue, options?: MatchOptions): R;
  toMatchTranscript(reference: ReferenceFile, options?: MatchOptions): Promise<void>;
  /** Checks that the word error rate, from 0, is below a limit. */
  toHaveWerBelow(limit: number, reference: ReferenceValue, options?: ScoringOptions): R;
  toHaveWerBelow(limit: number, reference: ReferenceFile, options?: ScoringOptions): Promise<void>;
  /** Checks that the character error rate, from 0, is below a limit. */
  toHaveCerBelow(limit: number, reference: ReferenceValue, options?: ScoringOptions): R;
  toHaveCerBelow(limit: number, reference: ReferenceFile, options?: ScoringOptions): Promise<void>;
  /**
   * Checks that an operator such as `transcribe(...)` gives this text for an audio file or the audio of a cassette
   * (`.jsonl`).
   */
  toTranscribe(audio: string | Cassette, expectation: TranscribeExpectation): Promise<void>;
  /** Checks that a delay of a run is below a number of seconds. Default: p95 of finals. */
  toHaveDelayBelow(seconds: number, options?: DelayOptions): R;
  /** Checks that a run took back no more of its partials than allowed. Default: none. */
  toBeStable(limits?: StabilityLimits): R;
  /** Checks that a share of the audio of a run, 0 to 1, has text or is known to be silent. Default: all of it. */
  toCover(fraction?: number): R;
  /** Checks that the text, laid out as captions, follows a profile. Default `netflix`. */
  toKeepCaptionRules(profile?: CaptionProfileName | CaptionProfile, options?: CaptionOptions): R;
  /** Checks that clients of a playing service sent what was recorded. */
  toMatchCassette(): R;
}
