import { messageOf } from '../../base/errors.ts';
import type { CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { CoverageSpan } from '../../transcript/model/coverage.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { partialSteps } from '../../transcript/text/stability.ts';
import type { AlignmentRule } from '../align/alignment.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { alignTexts } from '../score/alignTexts.ts';
import { keywordRecall } from '../score/keywordRecall.ts';
import type { AlignedWord } from '../score/scoreTranscript.ts';
import { scoreTranscript } from '../score/scoreTranscript.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { type BrokenCue, brokenCues, countRules } from './brokenCues.ts';
import { coveredSeconds } from './coveredSeconds.ts';
import { delaysOf } from './delays.ts';
import { type MeasureParts, type Measures, measuresOf } from './measures.ts';

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

/** What is known of a file besides the run. */
export interface FileDetails {
  readonly name: string;
  /** Counts from 1. */
  readonly repeat: number;
  readonly language: string;
  /** As {@link FileReport.service}. */
  readonly service: string;
  /** Without it words are not scored. */
  readonly reference?: Reference;
  readonly rules: RuleSet;
  readonly alignment: AlignmentRule;
  readonly keywords: readonly string[];
  readonly profile: CaptionProfileName;
  readonly mismatches: readonly string[];
  /** Of the bootstrap. */
  readonly seed: number;
}

/** The report of one run, and what is added up with that of others. */
export interface MeasuredFile {
  readonly report: FileReport;
  readonly parts: MeasureParts;
}

/** Measures a run of a file. */
export function fileReport(run: SessionRun, details: FileDetails): MeasuredFile {
  const { name, repeat, language, rules, service, profile, mismatches, seed, reference } = details;
  const { transcript, speed, seconds, durationMs, failure } = run;
  const score = scoreOf(run, details);
  const broken = brokenCues(transcript, { profile, language });
  const parts: MeasureParts = {
    words: score?.words ?? null,
    characters: score?.characters ?? null,
    segments: score?.segments ?? [],
    speakers: score?.speakers ?? [],
    keywords: score?.keywords ?? null,
    delays: speed === 'max' ? null : delaysOf(run),
    stability: [...partialSteps(run.events.map(({ value }) => value))],
    coverageSeconds: coveredSeconds(run),
    violationsByRule: countRules(broken),
    reconnects: reconnectsOf(run),
    texts: { streams: 1, withText: Number(hasText(transcript)) },
  };
  const report: FileReport = {
    ...{ name, repeat, language, rules: rules.name, speed, service, seconds },
    durationSeconds: durationMs / 1000,
    ...(failure !== undefined && { failure: messageOf(failure) }),
    ...(reference && { reference: reference.kind === 'cassette' ? 'recording' : 'file' }),
    ...{ mismatches, alignment: score?.alignment ?? [], segments: parts.segments },
    ...measuresOf(parts, seed),
    coverageSpans: transcript.coverage ?? [],
    brokenCues: broken,
  };
  return { report, parts };
}

function hasText({ monologues }: Transcript): boolean {
  return monologues.some(({ elements }) => elements.some(({ type }) => type === 'text'));
}

function scoreOf({ transcript }: SessionRun, details: FileDetails) {
  const { reference, rules, alignment, keywords } = details;
  if (!reference) return undefined;
  const input = { reference, transcript, rules, alignment };
  const aligned = alignTexts(input);
  return {
    ...scoreTranscript(input, aligned),
    keywords: keywords.length > 0 ? keywordRecall(keywords, input, aligned).keywords : null,
  };
}

/** How often a connection broke or could not be had, so that another one was needed, however many tries that took. */
export function reconnectsOf({ statuses }: Pick<SessionRun, 'statuses'>): number {
  let count = 0;
  let isAway = false;
  for (const { value } of statuses) {
    if (value.type === 'connected') isAway = false;
    if (value.type !== 'reconnecting' || isAway) continue;
    isAway = true;
    count++;
  }
  return count;
}
