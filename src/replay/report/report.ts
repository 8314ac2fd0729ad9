import type { CueRule } from '../../transcript/cues/cueViolations.ts';
import type { CoverageSpan } from '../../transcript/model/coverage.ts';
import type { AlignmentRule, ErrorCounts } from '../score/alignment.ts';

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

/** One file, streamed once; of several repeats, each is one of these. */
export interface FileReport extends Measures {
  readonly name: string;
  /** Counts from 1. */
  readonly repeat: number;
  readonly language: string;
  /** How its words were made comparable: {@link RuleSet.name}. */
  readonly rules: string;
  readonly speed: number | 'max';
  /** Address without query; `cassette`: it answered as recorded; `embedded`: a service inside the process. */
  readonly service: string;
  /** Audio, in seconds. */
  readonly seconds: number;
  /** Of the run, in seconds of its clock. */
  readonly durationSeconds: number;
  /**
   * What its words are compared with: a file that has what was said, or a cassette's own recording, with which they agree or
   * do not, whatever was said. Absent without a reference.
   */
  readonly reference?: 'file' | 'recording';
  /** Why the stream failed: no measure of it means anything then. */
  readonly failure?: string;
  /** Where a cassette's answers did not fit what was sent. */
  readonly mismatches: readonly string[];
  /** Reference and hypothesis side by side; empty without a reference. */
  readonly alignment: readonly AlignedWord[];
  /** Errors in stretches of the reference, always the same for the same reference: pairs for the bootstrap. */
  readonly segments: readonly { readonly tokens: number; readonly errors: number }[];
  /** What became of each stretch of the audio, to be shown: in order of their starts. */
  readonly coverageSpans?: readonly CoverageSpan[];
  /** Captions that break a rule, to be shown: in order. */
  readonly brokenCues?: readonly BrokenCue[];
}

/** A caption that breaks rules. */
export interface BrokenCue {
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly text: string;
  readonly rules: readonly CueRule[];
}

/** One step of the alignment, to be shown. */
export interface AlignedWord {
  readonly type: 'hit' | 'substitution' | 'deletion' | 'insertion';
  /** As written; absent of an insertion. */
  readonly reference?: string;
  /** As written; absent of a deletion. */
  readonly hypothesis?: string;
  /** Seconds since the start of the audio, of the hypothesis; absent where it is not known. */
  readonly ts?: number;
  readonly endTs?: number;
  /** The same, of the reference, where it has times of words. */
  readonly referenceTs?: number;
  readonly referenceEndTs?: number;
  /** Who said it, as the reference has it. */
  readonly speaker?: string;
}

/** Of one file, or of all: sums, not means of means. */
export interface Measures {
  /** Word error rate; null without a reference. */
  readonly wer: number | null;
  /** Character error rate; null without a reference. */
  readonly cer: number | null;
  readonly words: ErrorCounts | null;
  readonly characters: { readonly tokens: number; readonly errors: number } | null;
  /** 95 % confidence interval of `wer` by the bootstrap; null with too few segments to say. */
  readonly werInterval: Interval | null;
  /** Of the speakers of the reference; empty where it names none. */
  readonly speakers: readonly SpeakerErrors[];
  /** Null when no keywords are given. */
  readonly keywords: KeywordRecall | null;
  /** Null at speed `max`: nothing was spoken in time. */
  readonly delay: Delays | null;
  /** Unstable partial word ratio. */
  readonly upwr: number;
  /** Unstable partial segment ratio. */
  readonly upsr: number;
  /** What part of the audio is final or known to be silent: 0 to 1. */
  readonly coverage: number;
  /** Seconds of audio. `unknown`: nobody said anything of it. */
  readonly coverageSeconds: Readonly<Record<'final' | 'silence' | 'hole' | 'unknown', number>>;
  /** Caption rules that were broken, at the layout of the profile. */
  readonly violations: number;
  readonly violationsByRule: Readonly<Partial<Record<CueRule, number>>>;
  /** How often a connection broke or could not be had, however many tries the next one took. */
  readonly reconnects: number;
  /** The share of streams with any text: 0 or 1 for one stream. Absent in reports of earlier releases. */
  readonly withText?: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface SpeakerErrors {
  readonly speaker: string;
  readonly wer: number;
  readonly words: ErrorCounts;
}

export interface KeywordRecall {
  /** Of all of them; null when none was said. */
  readonly recall: number | null;
  readonly keywords: readonly { readonly keyword: string; readonly said: number; readonly heard: number }[];
}

/** In seconds. */
export interface Delays {
  /** From the end of the first word of an utterance to the first partial or final that shows anything of it. */
  readonly firstPartial: Quantiles | null;
  /** From the end of a word to when it was shown for good. */
  readonly word: Quantiles | null;
  /** From the end of the last word of an utterance to its final. */
  readonly final: Quantiles | null;
}

export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
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
