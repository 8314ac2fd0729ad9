/**
 * Cassettes of recorded sessions, their replay with faults, measures, scores, suites and reports.
 *
 * @module
 */

import './base/toolkitNode.ts';

// Cassettes

export {
  CASSETTE_VERSION,
  type Cassette,
  type CassetteAudio,
  type CassetteLine,
} from './replay/cassette/cassette.ts';
export { cassetteDifferences, type DifferenceOptions } from './replay/cassette/cassetteDifferences.ts';
export { CassetteError } from './replay/cassette/cassetteError.ts';
export { type ImportOptions, importMessageLog } from './replay/cassette/import/importMessageLog.ts';
export { type ReadCassetteOptions, readCassette } from './replay/cassette/read/readCassette.ts';
export { record } from './replay/cassette/record/record.ts';
export type { RecordOptions, RecordPlaces } from './replay/cassette/record/recordOptions.ts';
export { recordedRun } from './replay/cassette/recordedRun.ts';

// Playing them

export type { FaultSchedule, PlannedPlayFault, PlayFault } from './replay/play/faults/faultSchedule.ts';
export { type RandomFaultLimits, randomFaults } from './replay/play/faults/randomFaults.ts';
export type { MatchOptions } from './replay/play/match/connectionWatch.ts';
export { CassetteMismatchError, describeMismatches, type Mismatch } from './replay/play/match/mismatch.ts';
export { type CassetteServer, type PlayServerOptions, playServer } from './replay/play/server/playServer.ts';
export { type PlaySourceOptions, playSource } from './replay/play/source/playSource.ts';
export { inVirtualTime, type VirtualTimeOptions } from './replay/time/inVirtualTime.ts';
export { VirtualClock } from './replay/time/virtualClock.ts';

// Measuring a run

export { shownSteps } from './captions/words/shownSteps.ts';
export { type DelayQuantiles, type DelaySamples, delayQuantiles, delaysOf } from './replay/measure/delays.ts';
export {
  type FileDetails,
  type FileReport,
  fileReport,
  type MeasuredFile,
} from './replay/measure/fileReport.ts';
export type { Delays, Measures } from './replay/measure/measures.ts';
export type { Quantiles } from './replay/measure/quantiles.ts';
export { totalMeasures } from './replay/measure/totalMeasures.ts';
export { type ObserveOptions, observeSession, type Transcriber } from './replay/session/observeSession.ts';
export type { SessionRun, Timed } from './replay/session/sessionRun.ts';
export { type CueRule, type CueViolation, cueViolations } from './transcript/cues/cueViolations.ts';
export {
  partialSteps,
  type Stability,
  type StabilityStep,
  stabilityOf,
} from './transcript/text/stability.ts';

// Comparing it with a reference

export type { Alignment, AlignmentRule, AlignmentStep, ErrorCounts } from './replay/align/alignment.ts';
export { alignWords } from './replay/align/alignWords.ts';
export type { RecordingOptions } from './replay/reference/nistLines.ts';
export { parseReference } from './replay/reference/parseReference.ts';
export { type ReadReferenceOptions, readReference } from './replay/reference/readReference.ts';
export {
  type Reference,
  type ReferenceKind,
  type ReferenceSegment,
  type TextKind,
  UnreadableReferenceError,
} from './replay/reference/reference.ts';
export type { RuledWord, RuleSet } from './replay/rules/ruleSet.ts';
export { RULE_SET_NAMES, ruleSetFor, ruleSetNamed } from './replay/rules/ruleSets.ts';
export type { AlignedTexts, ScoreInput } from './replay/score/alignTexts.ts';
export { differenceInterval, type Interval, rateInterval } from './replay/score/bootstrap.ts';
export { characterErrors } from './replay/score/characterErrors.ts';
export { countErrors, errorRate, type TokenErrors, tokenErrors } from './replay/score/errorCounts.ts';
export { type KeywordRecall, keywordRecall } from './replay/score/keywordRecall.ts';
export {
  type AlignedWord,
  type SpeakerErrors,
  scoreTranscript,
  type TranscriptScore,
} from './replay/score/scoreTranscript.ts';
export { scoreWords, type WordScore } from './replay/score/scoreWords.ts';
export { wordsOf } from './transcript/text/tokens.ts';

// Suites and their reports

export { readReport } from './replay/report/jsonReport.ts';
export type {
  CheckKind,
  FileMedia,
  GateCheck,
  GateReport,
  Report,
  ReportMedia,
  RunSpread,
  Spread,
  Spreads,
} from './replay/report/report.ts';
export { writeReport } from './replay/report/writeReport.ts';
export { type Baseline, baselineOf } from './replay/suite/baseline/baseline.ts';
export { readBaseline, writeBaseline } from './replay/suite/baseline/baselineFile.ts';
export { readSuite } from './replay/suite/read/readSuite.ts';
export { SuiteFileError } from './replay/suite/read/readSuiteFile.ts';
export { type RunSuiteOptions, runSuite, type SuiteProgress } from './replay/suite/run/runSuite.ts';
export type { Suite, SuiteCase, SuiteFlags, SuiteService, Thresholds } from './replay/suite/suite.ts';
