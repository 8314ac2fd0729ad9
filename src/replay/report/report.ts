import type { AlignmentRule } from '../align/alignment.ts';
import type { FileReport } from '../measure/fileReport.ts';
import type { MachineState } from '../measure/machineWatch.ts';
import type { Measures } from '../measure/measures.ts';
import type { Interval } from '../score/bootstrap.ts';

/** The results of a suite. As JSON it is the file that `--report FILE.json` writes. */
export interface Report extends Measures {
  readonly report: 'rxscribe';
  readonly version: 1;
  /** Time of the run, ISO 8601, UTC. */
  readonly createdAt: string;
  readonly suite: string;
  /** Rule sets of the files, each once; several for files in several languages. */
  readonly rules: readonly string[];
  readonly alignment: AlignmentRule;
  /** The machine of this process during the runs. Absent when recordings answered, in virtual time. */
  readonly machine?: MachineState;
  /** Versions of the programs. */
  readonly software: Readonly<Record<string, string>>;
  readonly files: readonly FileReport[];
  /** Measures of the cases that have a tag with the same value. Absent without tags. */
  readonly cohorts?: readonly Cohort[];
  /** Spread of repeated runs. Absent when each file was streamed once. */
  readonly spread?: RunSpread;
  /** Checks of thresholds and baseline. Without any, the gate passes when every file ran. */
  readonly gate: GateReport;
}

/** Measures of the files of one tag. */
export interface Cohort extends Measures {
  /** Tag and value: `line=telephone`. */
  readonly name: string;
  /** Number of files. */
  readonly files: number;
}

/** The spread of measures over several runs of the same files. */
export interface RunSpread {
  readonly runs: number;
  /** Spread of the totals, over the runs in which every file finished. */
  readonly all: Spreads;
  /** Spread of each file, by its name. */
  readonly files: Readonly<Record<string, Spreads>>;
}

/** Spreads by path of the measure, such as `wer` or `delay.final.p95`, without unmeasured ones. */
export type Spreads = Readonly<Record<string, Spread>>;

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** Standard deviation of the runs; 0 of a single one. */
  readonly deviation: number;
}

export interface GateReport {
  readonly passed: boolean;
  /** True when only checks of times failed, on a machine that was too busy to measure them. */
  readonly isInvalid?: boolean;
  readonly checks: readonly GateCheck[];
}

/**
 * The kind of a check: a stream that failed (`stream`), streams that did not run (`streams`), a cassette that does not
 * match (`mismatches`), a threshold, or the baseline.
 */
export type CheckKind = 'stream' | 'streams' | 'mismatches' | 'threshold' | 'baseline';

/** One condition for a suite to pass. */
export interface GateCheck {
  readonly kind: CheckKind;
  /** Name of the file. Absent for all files. */
  readonly file?: string;
  /** Repeat of the file. Absent for all repeats together. */
  readonly repeat?: number;
  /** Name of the cohort. Absent for single files and for all. */
  readonly cohort?: string;
  /** Path of a measure, such as `wer` or `delay.final.p95`; else the kind. */
  readonly measure: string;
  readonly passed: boolean;
  /** True for a failed check of times on a machine that was too busy to measure them. */
  readonly isInvalid?: boolean;
  /** Result for people, such as `wer 31.00 % is above 30.00 %`. */
  readonly message: string;
  readonly value: number | null;
  readonly limit: number;
  /** Value in the baseline. Absent for a threshold. */
  readonly baseline?: number;
  /** Interval of the difference to the baseline, when known. */
  readonly interval?: Interval;
}

/** Audio for the page, by the names of the files in the report. */
export type ReportMedia = ReadonlyMap<string, FileMedia>;

export interface FileMedia {
  /** A path, or a function that opens the bytes of an audio file, which a cassette may embed. */
  readonly audio: string | (() => AsyncIterable<Uint8Array>);
}

/** A table of a report, in any format. */
export interface ReportTable {
  readonly title: string;
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Row of all others together. Absent where they do not add up. */
  readonly last?: readonly string[];
  /** Number of the first columns, which have texts; the others have numbers. */
  readonly texts: number;
}
