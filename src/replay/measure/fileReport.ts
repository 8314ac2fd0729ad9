import { messageOf } from '../../base/errors.ts';
import type { CaptionProfileName } from '../../transcript/cues/captionProfile.ts';
import type { CoverageSpan } from '../../transcript/model/coverage.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { partialSteps } from '../../transcript/text/stability.ts';
import type { AlignmentRule } from '../align/alignment.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { alignTexts } from '../score/alignTexts.ts';
import { type TokenErrors, tokenErrors } from '../score/errorCounts.ts';
import { keywordRecall } from '../score/keywordRecall.ts';
import { type AlignedWord, scoreTranscript } from '../score/scoreTranscript.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { type BrokenCue, brokenCues, countRules } from './brokenCues.ts';
import { coveredSeconds } from './coveredSeconds.ts';
import { type Delay, delaysOf } from './delays.ts';
import { type MeasureParts, type Measures, measuresOf } from './measures.ts';
import { byDelayKind } from './quantiles.ts';

/** The report of one file streamed once; each repeat has its own. */
export interface FileReport extends Measures {
  readonly name: string;
  /** Counts from 1. */
  readonly repeat: number;
  readonly language: string;
  /** Rule set that normalized the words: {@link RuleSet.name}. */
  readonly rules: string;
  readonly speed: number | 'max';
  /**
   * Address without query; `cassette` for a cassette that answered itself; `embedded` for a service inside the process.
   */
  readonly service: string;
  /** Seconds of audio. */
  readonly seconds: number;
  /** Seconds of the run, on its clock. */
  readonly durationSeconds: number;
  /**
   * Reference of the words: a file with the true text, or the recording of a cassette, which shows agreement with an
   * earlier result only. Absent without a reference.
   */
  readonly reference?: 'file' | 'recording';
  /** Reason for which the stream failed; its measures mean nothing then. */
  readonly failure?: string;
  /** True for a failure that the case expects. */
  readonly isExpected?: boolean;
  /** Differences between the sent and the recorded session, and results at impossible times. */
  readonly mismatches: readonly string[];
  /** Alignment of reference and hypothesis; empty without a reference. */
  readonly alignment: readonly AlignedWord[];
  /**
   * Errors per segment of the reference, which is always cut the same way, so that runs can be paired for the
   * bootstrap.
   */
  readonly segments: readonly TokenErrors[];
  /** Coverage of the audio, in order of start, for display. */
  readonly coverageSpans: readonly CoverageSpan[];
  /** Captions that break a rule, in order, for display. */
  readonly brokenCues: readonly BrokenCue[];
}

/** Details of a file besides its run. */
export interface FileDetails
  extends Pick<FileReport, 'name' | 'repeat' | 'language' | 'service' | 'mismatches'> {
  /** Reference; without it words are not scored. */
  readonly reference?: Reference;
  readonly rules: RuleSet;
  readonly alignment: AlignmentRule;
  readonly keywords: readonly string[];
  readonly profile: CaptionProfileName;
  /** Seed of the bootstrap. */
  readonly seed: number;
}

/** The report of one run, and the parts that add up with those of other runs. */
export interface MeasuredFile {
  readonly report: FileReport;
  readonly parts: MeasureParts;
}

/**
 * Measures a run and returns its report.
 *
 * @example
 * const { report } = fileReport(run, {
 *   name: 'talk',
 *   repeat: 1,
 *   language: 'en',
 *   service: 'http://127.0.0.1:8080',
 *   reference,
 *   rules: ruleSetFor('en'),
 *   alignment: 'levenshtein',
 *   keywords: [],
 *   profile: 'netflix',
 *   mismatches: [],
 *   seed: 1,
 * });
 * console.log(report.wer);
 */
export function fileReport(run: SessionRun, details: FileDetails): MeasuredFile {
  const { name, repeat, language, rules, service, profile, mismatches, seed, reference } = details;
  const { transcript, speed, seconds, durationMs, failure } = run;
  const score = scoreOf(run, details);
  const broken = brokenCues(transcript, { profile, language });
  const delays = speed === 'max' ? null : delaysIn(name, run);
  const parts: MeasureParts = {
    words: score?.words ?? null,
    characters: score?.characters ?? null,
    segments: score?.segments ?? [],
    speakers: score?.speakers ?? [],
    keywords: score?.keywords ?? null,
    delays,
    stability: [...partialSteps(run.events.map(({ value }) => value))],
    coverageSeconds: coveredSeconds(run),
    violationsByRule: countRules(broken),
    reconnects: reconnectsOf(run),
    attempts: run.statuses.filter(({ value }) => value.type === 'reconnecting').length,
    texts: {
      ...{ streams: 1, withText: Number(hasText(transcript)), scored: Number(score !== undefined) },
      perfect: Number(score !== undefined && tokenErrors(score.words).errors === 0),
    },
  };
  const report: FileReport = {
    name,
    repeat,
    language,
    rules: rules.name,
    speed,
    service,
    seconds,
    durationSeconds: durationMs / 1000,
    failure: failure === undefined ? undefined : messageOf(failure),
    reference: reference && (reference.kind === 'cassette' ? 'recording' : 'file'),
    mismatches: [...mismatches, ...earlyFinals(delays?.final ?? [])],
    alignment: score?.alignment ?? [],
    segments: parts.segments,
    ...measuresOf(parts, seed),
    coverageSpans: transcript.coverage ?? [],
    brokenCues: broken,
  };
  return { report, parts };
}

function delaysIn(file: string, run: SessionRun) {
  const delays = delaysOf(run);
  return byDelayKind(kind => delays[kind].map(delay => ({ ...delay, file })));
}

/** Seconds by which times of words may be too late, so that their final seems to come before them. */
export const MAX_EARLY_SECONDS = 1;

/** Describes finals that came before their words were spoken. */
function earlyFinals(finals: readonly Delay[]): readonly string[] {
  return finals
    .filter(({ seconds }) => seconds < -MAX_EARLY_SECONDS)
    .map(({ seconds, text, endTs }) => {
      const early = `${(-seconds).toFixed(2)} s before that`;
      return `'${text}' ends at ${endTs} s, and its final came ${early}: a final is missing, or times of words are wrong`;
    });
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

/** Counts how often a connection broke or could not be made, however many attempts the next one took. */
function reconnectsOf({ statuses }: Pick<SessionRun, 'statuses'>): number {
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
