import type { CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { AlignmentRule } from '../score/alignment.ts';
import type { Thresholds } from './suite.ts';

/** What a command line says of a suite: goes over what is in a suite file. */
export interface SuiteFlags {
  /** Of the only recording. */
  readonly reference?: string;
  readonly language?: string;
  readonly speed?: number | 'max';
  readonly rules?: string;
  readonly alignment?: AlignmentRule;
  readonly profile?: CaptionProfileName;
  readonly keywords?: readonly string[];
  readonly repeats?: number;
  readonly concurrency?: number;
  /** Of all cases together. */
  readonly thresholds?: Thresholds;
  /** Of a comparison with a baseline. */
  readonly tolerances?: Readonly<Record<string, number>>;
  /** Service to stream to. */
  readonly url?: string;
  /** Only audio goes there: it was not named for cassettes, which answer themselves unless the suite says otherwise. */
  readonly isUrlForAudio?: boolean;
}

/** What a suite is where nobody says otherwise. */
export const SUITE_DEFAULTS = {
  concurrency: 1,
  repeats: 1,
  alignment: 'levenshtein',
  seed: 1,
  speed: 1,
  profile: 'netflix',
} as const;
