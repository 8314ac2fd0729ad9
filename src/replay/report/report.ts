import type { FileReport } from '../measure/fileReport.ts';
import type { MachineState } from '../measure/machineWatch.ts';
import type { Measures } from '../measure/measures.ts';

/** Version of the JSON that `--report` writes. */
export const REPORT_VERSION = 1;

/** The results of a suite. As JSON it is the file that `--report FILE.json` writes. */
export interface Report extends Measures {
  readonly report: 'rxscribe';
  readonly version: typeof REPORT_VERSION;
  /** Time of the run, ISO 8601, UTC. */
  readonly createdAt: string;
  readonly suite: string;
  /** Rule sets of the files, each once; several for files in several languages. */
  readonly rules: readonly string[];
  /** The state of this process during the runs. Absent when recordings answered, in virtual time. */
  readonly machine?: MachineState;
  /** Versions of the programs. */
  readonly software: Readonly<Record<string, string>>;
  readonly files: readonly FileReport[];
  /** Checks of thresholds and baseline. Without any, the gate passes when every file ran. */
  readonly gate: GateReport;
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
