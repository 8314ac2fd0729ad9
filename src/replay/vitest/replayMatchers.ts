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

/**
 * Matchers that `import 'rxscribe/vitest'` gives to `expect` of vitest. A text, a transcript, what `mergeTranscript` gives or a run
 * can be expected to have words; whatever reads a file or streams is awaited.
 *
 * @example
 * await expect(transcribe({ url, token })).toTranscribe('talk.wav', { as: { path: 'talk.txt' }, maxWer: 0.1 });
 */
export interface ReplayMatchers<R> {
  /** The words are those of a reference; with `maxWer` that part of them may differ. */
  toMatchTranscript(reference: ReferenceValue, options?: MatchOptions): R;
  toMatchTranscript(reference: ReferenceFile, options?: MatchOptions): Promise<void>;
  /** The word error rate, from 0, is below a limit. */
  toHaveWerBelow(limit: number, reference: ReferenceValue, options?: ScoringOptions): R;
  toHaveWerBelow(limit: number, reference: ReferenceFile, options?: ScoringOptions): Promise<void>;
  /** The character error rate, from 0, is below a limit. */
  toHaveCerBelow(limit: number, reference: ReferenceValue, options?: ScoringOptions): R;
  toHaveCerBelow(limit: number, reference: ReferenceFile, options?: ScoringOptions): Promise<void>;
  /** A process, as `transcribe(...)`, makes this text of an audio file or of the audio of a cassette (`.jsonl`). */
  toTranscribe(audio: string | Cassette, expectation: TranscribeExpectation): Promise<void>;
  /** A run showed what was said in less than so many seconds. Default: finals, p95. */
  toHaveDelayBelow(seconds: number, options?: DelayOptions): R;
  /** A run took back no more of its partials than may be. Default: nothing. */
  toBeStable(limits?: StabilityLimits): R;
  /** So much of the audio of a run, 0 to 1, has its text or is known to be silent. Default: all. */
  toCover(fraction?: number): R;
  /** Laid out as captions it keeps to a profile. Default `netflix`. */
  toKeepCaptionRules(profile?: CaptionProfileName | CaptionProfile, options?: CaptionOptions): R;
  /** A service that plays a cassette was sent what was recorded; or a cassette has the session of another one. */
  toMatchCassette(cassette?: Cassette): R;
}
