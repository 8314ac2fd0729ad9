import type { AlignmentRule } from '../align/alignment.ts';
import type { FileReport } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';
import type { Interval } from '../score/bootstrap.ts';

/** The version of the JSON that `--report` writes. */
export const REPORT_VERSION = 1;

/** What a suite came to. As JSON it is what `--report FILE.json` writes. */
export interface Report extends Measures {
  readonly report: 'rxscribe';
  readonly version: typeof REPORT_VERSION;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly suite: string;
  /** Those of the files, each once: several when they are in several languages. */
  readonly rules: readonly string[];
  readonly alignment: AlignmentRule;
  /** Program to version. */
  readonly software: Readonly<Record<string, string>>;
  readonly files: readonly FileReport[];
  /** The spread of the runs; absent where each file was streamed once. */
  readonly spread?: RunSpread;
  /** Of thresholds and the baseline; passed where there are none and every file ran. */
  readonly gate: GateReport;
}

/** The spread of the figures of several runs of the same files. */
export interface RunSpread {
  readonly runs: number;
  /** Spread of the figures of all files, over the runs in which every file came to its end. */
  readonly all: Spreads;
  /** Spread of each file, by its name. */
  readonly files: Readonly<Record<string, Spreads>>;
}

/** By the path of a measure, such as `wer` or `delay.final.p95`; without what was not measured. */
export type Spreads = Readonly<Record<string, Spread>>;

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface GateReport {
  readonly passed: boolean;
  readonly checks: readonly GateCheck[];
}

/**
 * What is checked: that a stream came to its end, that all were begun and did, that a cassette fits what was sent, a
 * threshold, or the baseline.
 */
export type CheckKind = 'stream' | 'streams' | 'mismatches' | 'threshold' | 'baseline';

/** One thing that has to be so for a suite to pass. */
export interface GateCheck {
  readonly kind: CheckKind;
  /** The file's name; absent: of all. */
  readonly file?: string;
  /** Of one repeat of it; absent: of all repeats together. */
  readonly repeat?: number;
  /** Path of a measure: `wer`, `delay.final.p95`; the kind, where it is of none. */
  readonly measure: string;
  readonly passed: boolean;
  /** For people: `wer 0.31 is above 0.30`. */
  readonly message: string;
  readonly value: number | null;
  readonly limit: number;
  /** What the baseline has; absent: this is a threshold. */
  readonly baseline?: number;
  /** Of the difference to the baseline, where one can be said. */
  readonly interval?: Interval;
}

/** What a page can play, by the name of the file in the report. */
export type ReportMedia = ReadonlyMap<string, FileMedia>;

export interface FileMedia {
  /** A path, or what opens the bytes of an audio file anew for each call: a cassette may have it inside. */
  readonly audio: string | (() => AsyncIterable<Uint8Array>);
}
