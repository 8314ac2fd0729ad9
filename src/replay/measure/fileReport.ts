import { messageOf } from '../../base/errors.ts';
import type { CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { partialSteps } from '../../transcript/text/stability.ts';
import type { Reference } from '../reference/reference.ts';
import type { FileReport } from '../report/report.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { AlignmentRule } from '../score/alignment.ts';
import { alignTexts } from '../score/alignTexts.ts';
import { keywordRecall } from '../score/keywordRecall.ts';
import { scoreTranscript } from '../score/scoreTranscript.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { brokenCues, countRules } from './brokenCues.ts';
import { coveredSeconds } from './coveredSeconds.ts';
import { delaysOf } from './delays.ts';
import { type MeasureParts, measuresOf } from './measureParts.ts';
import { reconnectsOf } from './reconnects.ts';

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
