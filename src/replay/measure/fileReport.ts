import { messageOf } from '../../base/errors.ts';
import type { CoverageSpan } from '../../transcript/model/coverage.ts';
import { partialSteps } from '../../transcript/text/stability.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { alignTexts } from '../score/alignTexts.ts';
import { keywordRecall } from '../score/keywordRecall.ts';
import { type AlignedWord, scoreTranscript } from '../score/scoreTranscript.ts';
import type { SessionRun } from '../session/sessionRun.ts';
import { coveredSeconds } from './coveredSeconds.ts';
import { byDelayKind, type Delay, delaysOf } from './delays.ts';
import { type MeasureParts, type Measures, measuresOf, NO_PARTS } from './measures.ts';

/** The report of one file. */
export interface FileReport extends Measures {
  readonly name: string;
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
  /** Reason for which the stream failed; it has no measures then. */
  readonly failure?: string;
  /** True for a failure that the case expects. */
  readonly isExpected?: boolean;
  /** Differences between the sent and the recorded session, and results at impossible times. */
  readonly mismatches: readonly string[];
  /** Alignment of reference and hypothesis; empty without a reference. */
  readonly alignment: readonly AlignedWord[];
  /** Coverage of the audio, in order of start, for display. */
  readonly coverageSpans: readonly CoverageSpan[];
}

/** Details of a file besides its run. */
export interface FileDetails extends Pick<FileReport, 'name' | 'language' | 'service' | 'mismatches'> {
  /** Reference; without it words are not scored. */
  readonly reference?: Reference;
  readonly rules: RuleSet;
  readonly keywords: readonly string[];
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
 *   language: 'en',
 *   service: 'http://127.0.0.1:8080',
 *   reference,
 *   rules: ruleSetFor('en'),
 *   keywords: [],
 *   mismatches: [],
 *   seed: 1,
 * });
 * console.log(report.wer);
 */
export function fileReport(run: SessionRun, details: FileDetails): MeasuredFile {
  const { name, language, rules, service, mismatches, seed, reference } = details;
  const { transcript, speed, seconds, durationMs, failure } = run;
  const score = scoreOf(run, details);
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
    reconnects: reconnectsOf(run),
    attempts: run.statuses.filter(({ value }) => value.type === 'reconnecting').length,
    streams: 1,
  };
  const report: FileReport = {
    name,
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
    // The part that a failed stream lacks says nothing about the rest.
    ...measuresOf(failure === undefined ? parts : NO_PARTS, seed),
    coverageSpans: transcript.coverage ?? [],
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

function scoreOf({ transcript }: SessionRun, details: FileDetails) {
  const { reference, rules, keywords } = details;
  if (!reference) return undefined;
  const input = { reference, transcript, rules };
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

/**
 * Returns the measures of many files together: sums of counts, and quantiles of all delays. Streams that failed are
 * left out, because the part that they lack says nothing about the rest.
 *
 * @param seed of the bootstrap
 *
 * @example
 * totalMeasures([], 1).coverage; // null
 */
export function totalMeasures(files: readonly MeasuredFile[], seed: number): Measures {
  const well = files.filter(({ report }) => report.failure === undefined);
  return measuresOf(sumParts(well.map(({ parts }) => parts)), seed);
}

/** Adds up the parts of many files. Speakers and keywords of the same name are combined. */
function sumParts(all: readonly MeasureParts[]): MeasureParts {
  const given = <Name extends keyof MeasureParts>(name: Name) =>
    all.flatMap(parts => (parts[name] === null ? [] : [parts[name] as NonNullable<MeasureParts[Name]>]));
  const [delays, keywords] = [given('delays'), given('keywords')];
  return {
    words: sumOrNull(given('words')),
    characters: sumOrNull(given('characters')),
    segments: given('segments').flat(),
    // In the order of the first occurrence of each name.
    speakers: [...Map.groupBy(given('speakers').flat(), ({ speaker }) => speaker)].map(([speaker, same]) => ({
      speaker,
      words: sumOf(same.map(({ words }) => words)),
    })),
    keywords:
      keywords.length === 0
        ? null
        : [...Map.groupBy(keywords.flat(), ({ keyword }) => keyword)].map(([keyword, same]) => ({
            keyword,
            ...sumOf(same.map(({ said, heard }) => ({ said, heard }))),
          })),
    delays: delays.length === 0 ? null : byDelayKind(kind => delays.flatMap(each => each[kind])),
    stability: given('stability').flat(),
    coverageSeconds: sumOf([NO_PARTS.coverageSeconds, ...given('coverageSeconds')]),
    streams: all.length,
    reconnects: given('reconnects').reduce((sum, count) => sum + count, 0),
    attempts: given('attempts').reduce((sum, count) => sum + count, 0),
  };
}

/** Adds up records of numbers by name. */
function sumOf<Sums extends object>(records: readonly Sums[]): Sums {
  const sums: Record<string, number> = {};
  for (const [name, value] of records.flatMap(record => Object.entries(record) as [string, number][])) {
    sums[name] = (sums[name] ?? 0) + value;
  }
  return sums as Sums;
}

function sumOrNull<Sums extends object>(records: readonly Sums[]): Sums | null {
  return records.length > 0 ? sumOf(records) : null;
}
