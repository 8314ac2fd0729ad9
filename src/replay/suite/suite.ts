import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { AlignmentRule } from '../align/alignment.ts';
import type { FaultSchedule } from '../play/faults/faultSchedule.ts';

/** Many files to be streamed and compared: what a suite file or the command line says, with all defaults filled in. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** Streams at a time. Default 1. */
  readonly concurrency: number;
  /** How often each case is streamed. Default 1. */
  readonly repeats: number;
  readonly alignment: AlignmentRule;
  /** Greatest or least value of measures, of all cases together. */
  readonly thresholds: Thresholds;
  /** By how much measures may be worse than in a baseline, in their own unit; of those that are not named a default. */
  readonly tolerances: Readonly<Record<string, number>>;
  /** Seed of the bootstrap and of faults. */
  readonly seed: number;
  /** Service to stream to; its token is never part of a suite. */
  readonly url?: string;
}

/** One recording and what is expected of it. Paths are absolute. */
export interface SuiteCase {
  /** Unique in the suite: the path from the suite, without its ending. */
  readonly name: string;
  readonly input: { readonly kind: 'audio' | 'cassette'; readonly path: string };
  /** Absent: of a cassette what was heard when it was recorded; of audio none, so that words are not scored. */
  readonly reference?: string;
  /** Language code. Default: what a cassette was recorded with, else `en`. */
  readonly language?: string;
  /** What else the service is asked for; of a cassette it goes over what was recorded. */
  readonly query: SuiteQuery;
  /** Name of a rule set; default by the language. */
  readonly rules?: string;
  /** Seconds of audio in a second. Default 1; of cassettes, in virtual time. */
  readonly speed: number | 'max';
  /** Who answers. Default: a cassette answers itself; audio needs a service. */
  readonly service: 'cassette' | 'service';
  /** What becomes of the connections to a cassette's service. */
  readonly faults: FaultSchedule;
  readonly keywords: readonly string[];
  readonly profile: CaptionProfileName;
  /** Of this case alone. */
  readonly thresholds: Thresholds;
}

/** Options of the stream that a suite may set. */
export type SuiteQuery = Omit<StreamQuery, 'contentType' | 'language' | 'userAgent'>;

/** Path of a measure to its limits: `{ 'wer': { max: 0.3 }, 'coverage': { min: 0.99 } }`. */
export type Thresholds = Readonly<Record<string, { readonly min?: number; readonly max?: number }>>;

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

/** The service that audio is streamed to. */
export interface SuiteService {
  readonly url: string;
  readonly token: string;
  /** As reports show it: the address without query, or `embedded`. */
  readonly shownAs: string;
}
