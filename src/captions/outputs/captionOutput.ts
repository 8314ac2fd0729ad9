import type { CaptionStep, RetractStep } from '../captionStep.ts';

/** Counters and state of an output, for the status line and the metrics. */
export interface OutputReport {
  /** Reason why the output shows nothing now; absent while it works. */
  readonly failure?: string;
  /** Updates that arrived. */
  readonly shown: number;
  /** Updates that were replaced by newer ones before they could be shown, or given up. */
  readonly skipped: number;
  /** Failed attempts. */
  readonly failures: number;
}

/**
 * A place where captions are shown. One file of `captions/outputs` has the adapter of one place.
 *
 * An output never delays the others: `take` returns at once, steps that cannot be shown yet wait in a bounded buffer, and the
 * output reconnects by itself.
 */
export interface CaptionOutput {
  /** Name for messages, metrics and `--delay`, such as `obs`. */
  readonly name: string;
  /** Name for people. Default: `name`. */
  readonly title?: string;
  /** True when nothing is shown before an utterance is final. Default false. */
  readonly showsFinals?: boolean;
  /** Age of the speech of a caption, in milliseconds, above which it is not shown when it comes. Default: any. */
  readonly maxAgeMs?: number | undefined;
  /** Takes the next step. Steps that do not concern the output are ignored. */
  take(step: CaptionStep): void;
  /** Removes typed text. Returns whether the text is gone. Default: the text stays. */
  retract?(step: RetractStep): boolean;
  report(): OutputReport;
  /** Shows pending text, for a few seconds at most, and releases everything. Never rejects; idempotent. */
  close(): Promise<void>;
}

/** Options that every output has. */
export interface OutputOptions {
  /** Called when the output begins to fail, with a sentence on the reason, and when it works again. */
  readonly onNote?: (note: string) => void;
}
