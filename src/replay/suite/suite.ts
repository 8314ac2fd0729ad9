import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { FaultSchedule } from '../play/faults/faultSchedule.ts';
import type { Equivalence } from '../rules/equivalences.ts';

/**
 * A set of files to be streamed and compared, with the settings of a suite file or the command line and all defaults.
 */
export interface Suite {
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** Number of simultaneous streams. Default 1. */
  readonly concurrency: number;
  /** Texts that mean the same, in references and results. Default: none besides those of the rules. */
  readonly equivalences?: readonly Equivalence[];
  /** Limits of measures over all cases together. */
  readonly thresholds: Thresholds;
  /** Seed of the bootstrap and of faults. */
  readonly seed: number;
  /** Service to stream to; its token is never part of a suite. */
  readonly url?: string;
}

/** One recording and its expectations. Paths are absolute. */
export interface SuiteCase {
  /** Unique name: the path from the suite, without extension. */
  readonly name: string;
  readonly input: { readonly kind: 'audio' | 'cassette'; readonly path: string };
  /** Path of the reference. Absent: the recorded transcript of a cassette; for audio none, so words are not scored. */
  readonly reference?: string;
  /** Language code. Default: that of the cassette, else `en`. */
  readonly language?: string;
  /** Further options of the stream, which override those of a cassette. */
  readonly query: SuiteQuery;
  /** Name of a rule set. Default: by the language. */
  readonly rules?: string;
  /** Speed in seconds of audio per second. Default 1; for cassettes in virtual time. */
  readonly speed: number | 'max';
  /** Service that answers. Default: a cassette answers itself; audio needs a service. */
  readonly service: 'cassette' | 'service';
  /** Faults of the connections. */
  readonly faults: FaultSchedule;
  /** Error with which the stream has to fail: a close code, or a status of the handshake. Absent: it has to end normally. */
  readonly expect?: { readonly close: number } | { readonly http: number };
  readonly keywords: readonly string[];
  /** Limits of measures of this case alone. */
  readonly thresholds: Thresholds;
}

/** Options of a stream that a suite may set. */
export type SuiteQuery = Omit<StreamQuery, 'contentType' | 'language' | 'userAgent'>;

/** Limits by path of the measure: `{ 'wer': { max: 0.3 }, 'coverage': { min: 0.99 } }`. */
export type Thresholds = Readonly<Record<string, { readonly min?: number; readonly max?: number }>>;

type CaseFlags = Pick<SuiteCase, 'language' | 'speed' | 'rules' | 'keywords' | 'faults'>;
type AllFlags = Omit<Suite, 'name' | 'cases' | 'seed' | 'equivalences'>;

/** Settings of the command line, which override those of a suite file. */
export interface SuiteFlags extends Partial<CaseFlags>, Partial<AllFlags> {
  /** Path of a file of equivalences. */
  readonly equivalences?: string;
  /** Reference of the only recording. */
  readonly reference?: string;
  /** True to stream only audio to `url`; cassettes answer themselves unless the suite says otherwise. */
  readonly isUrlForAudio?: boolean;
}

/** Default settings of a suite. */
export const SUITE_DEFAULTS = {
  concurrency: 1,
  seed: 1,
  speed: 1,
} as const;

/** The service that audio is streamed to. */
export interface SuiteService {
  readonly url: string;
  readonly token: string;
  /** Name for reports: the address without query, or `embedded`. */
  readonly shownAs: string;
}
