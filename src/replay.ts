/**
 * Cassettes of recorded sessions, their replay with faults, measures, scores, suites and reports.
 *
 * @module
 */

import './base/toolkitNode.ts';

// Cassettes

export type { Cassette } from './replay/cassette/cassette.ts';
export { CassetteError } from './replay/cassette/cassetteError.ts';
export { type ReadCassetteOptions, readCassette } from './replay/cassette/read/readCassette.ts';
export { record } from './replay/cassette/record/record.ts';
export type { RecordOptions } from './replay/cassette/record/recordOptions.ts';
export { recordedRun } from './replay/cassette/recordedRun.ts';

// Playing them

export type { FaultSchedule } from './replay/play/faults/faultSchedule.ts';
export { CassetteMismatchError, type Mismatch } from './replay/play/match/mismatch.ts';
export { type CassetteServer, type PlayServerOptions, playServer } from './replay/play/server/playServer.ts';
export { type PlaySourceOptions, playSource } from './replay/play/source/playSource.ts';
export { inVirtualTime, type VirtualTimeOptions } from './replay/time/inVirtualTime.ts';
export { VirtualClock } from './replay/time/virtualClock.ts';

// Measuring a run

export { type DelayQuantiles, type DelaySamples, delayQuantiles, delaysOf } from './replay/measure/delays.ts';
export type { FileReport } from './replay/measure/fileReport.ts';
export { type ObserveOptions, observeSession, type Transcriber } from './replay/session/observeSession.ts';
export type { SessionRun } from './replay/session/sessionRun.ts';
export { type CueViolation, cueViolations } from './transcript/cues/cueViolations.ts';
export { partialSteps, type Stability, stabilityOf } from './transcript/text/stability.ts';

// Comparing it with a reference

export { type ReadReferenceOptions, readReference } from './replay/reference/readReference.ts';
export { type Reference, UnreadableReferenceError } from './replay/reference/reference.ts';
export type { RuleSet } from './replay/rules/ruleSet.ts';
export { ruleSetFor, ruleSetNamed } from './replay/rules/ruleSets.ts';
export type { ScoreInput } from './replay/score/alignTexts.ts';
export {
  type ErrorCounts,
  errorRate,
  scoreWords,
  type TokenErrors,
  tokenErrors,
  type WordScore,
} from './replay/score/errorCounts.ts';
export { scoreTranscript, type TranscriptScore } from './replay/score/scoreTranscript.ts';
export { wordsOf } from './transcript/text/tokens.ts';

// Suites and their reports

export type { GateCheck, Report, ReportMedia } from './replay/report/report.ts';
export { writeReport } from './replay/report/writeReport.ts';
export { type Baseline, baselineOf, readBaseline, writeBaseline } from './replay/suite/baseline/baseline.ts';
export { readSuite } from './replay/suite/read/readSuite.ts';
export { SuiteFileError } from './replay/suite/read/readSuiteFile.ts';
export { type RunSuiteOptions, runSuite } from './replay/suite/run/runSuite.ts';
export type { Suite, SuiteFlags } from './replay/suite/suite.ts';
