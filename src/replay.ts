/**
 * Cassettes of recorded sessions, their replay with faults, measures, scores, suites and reports.
 *
 * @module
 */

import './base/toolkitNode.ts';

// Measuring a run

export { shownSteps } from './captions/shownSteps.ts';
// Cassettes

export {
  CASSETTE_VERSION,
  type Cassette,
  type CassetteAudio,
  type CassetteLine,
} from './replay/cassette/cassette.ts';
export { cassetteDifferences, type DifferenceOptions } from './replay/cassette/cassetteDifferences.ts';
export { CassetteError } from './replay/cassette/cassetteError.ts';
export { type ImportOptions, importMessageLog } from './replay/cassette/importMessageLog.ts';
export { type ReadCassetteOptions, readCassette } from './replay/cassette/readCassette.ts';
export { record } from './replay/cassette/record.ts';
export { recordedRun } from './replay/cassette/recordedRun.ts';
export type { RecordOptions, RecordPlaces } from './replay/cassette/recordOptions.ts';
export { type DelaySamples, delaysOf } from './replay/measure/delays.ts';
export { type FileDetails, fileReport, type MeasuredFile } from './replay/measure/fileReport.ts';
export { quantilesOf } from './replay/measure/quantiles.ts';
export { totalMeasures } from './replay/measure/totalMeasures.ts';
// Playing them

export type { MatchOptions } from './replay/play/connectionWatch.ts';
export type { FaultSchedule, PlannedPlayFault, PlayFault } from './replay/play/faultSchedule.ts';
export { CassetteMismatchError, describeMismatches, type Mismatch } from './replay/play/mismatch.ts';
export { type CassetteServer, type PlayServerOptions, playServer } from './replay/play/playServer.ts';
export { type PlaySourceOptions, playSource } from './replay/play/playSource.ts';
export { type RandomFaultLimits, randomFaults } from './replay/play/randomFaults.ts';
// Comparing it with a reference

export type { RecordingOptions } from './replay/reference/oneRecording.ts';
export { parseReference } from './replay/reference/parseReference.ts';
export { type ReadReferenceOptions, readReference } from './replay/reference/readReference.ts';
export type { Reference, ReferenceSegment } from './replay/reference/reference.ts';
export type { ReferenceKind, TextKind } from './replay/reference/referenceKind.ts';
export { UnreadableReferenceError } from './replay/reference/unreadableReferenceError.ts';
// Suites and their reports

export { readReport } from './replay/report/readReport.ts';
export type {
  AlignedWord,
  CheckKind,
  Delays,
  FileReport,
  GateCheck,
  GateReport,
  Interval,
  KeywordRecall,
  Measures,
  Quantiles,
  Report,
  RunSpread,
  SpeakerErrors,
  Spread,
  Spreads,
} from './replay/report/report.ts';
export type { FileMedia, ReportMedia } from './replay/report/reportMedia.ts';
export { writeReport } from './replay/report/writeReport.ts';
export type { RuledWord, RuleSet } from './replay/rules/ruleSet.ts';
export { RULE_SET_NAMES, ruleSetFor, ruleSetNamed } from './replay/rules/ruleSets.ts';
export type { Alignment, AlignmentRule, AlignmentStep, ErrorCounts } from './replay/score/alignment.ts';
export type { AlignedTexts, ScoreInput } from './replay/score/alignTexts.ts';
export { alignWords } from './replay/score/alignWords.ts';
export { differenceInterval, rateInterval } from './replay/score/bootstrap.ts';
export { characterErrors } from './replay/score/characterErrors.ts';
export { countErrors, errorRate, type TokenErrors, tokenErrors } from './replay/score/errorCounts.ts';
export { keywordRecall } from './replay/score/keywordRecall.ts';
export { scoreTranscript, type TranscriptScore } from './replay/score/scoreTranscript.ts';
export { scoreWords, type WordScore } from './replay/score/scoreWords.ts';
export { type ObserveOptions, observeSession, type Transcriber } from './replay/session/observeSession.ts';
export type { SessionRun, Timed } from './replay/session/sessionRun.ts';
export { type Baseline, baselineOf } from './replay/suite/baseline.ts';
export { readBaseline, writeBaseline } from './replay/suite/baselineFile.ts';
export { readSuite } from './replay/suite/readSuite.ts';
export { type RunSuiteOptions, runSuite, type SuiteProgress } from './replay/suite/runSuite.ts';
export type { Suite, SuiteCase, Thresholds } from './replay/suite/suite.ts';
export { SuiteFileError } from './replay/suite/suiteFileError.ts';
export type { SuiteFlags } from './replay/suite/suiteFlags.ts';
export type { SuiteService } from './replay/suite/suiteService.ts';
export { inVirtualTime, type VirtualTimeOptions } from './replay/time/inVirtualTime.ts';
export { VirtualClock } from './replay/time/virtualClock.ts';
export { type CueRule, type CueViolation, cueViolations } from './transcript/cues/cueViolations.ts';
export {
  partialSteps,
  type Stability,
  type StabilityStep,
  stabilityOf,
} from './transcript/text/stability.ts';
export { wordsOf } from './transcript/text/tokens.ts';
