/**
 * The toolkit: audio in, live transcripts out.
 *
 * @module
 */

import './base/toolkitNode.ts';

// Sources

export type { AudioWarning } from './audio/format/audioWarning.ts';
export { type AudioBlock, framesOf, type PcmFormat, type SampleFormat } from './audio/format/format.ts';
export { fromFile } from './audio/source/file.ts';
export { type Frames, fromFrames } from './audio/source/frames.ts';
export { fromLiveAddress, type LiveAddressOptions } from './audio/source/fromLiveAddress.ts';
export { microphone } from './audio/source/microphone.ts';
export { listMicrophones } from './audio/source/microphones.ts';
export { fromReadable } from './audio/source/readable.ts';
export type { SourceStatus } from './audio/source/reconnecting.ts';

// Operators

export { chunk } from './audio/chunk.ts';
export { type AudioLevel, level, measureLevel } from './audio/level.ts';
export { pace } from './audio/pace.ts';
export { pausable } from './audio/pausable.ts';
export { decodePcm, encodePcm } from './audio/pcm/pcm.ts';
export { type ResampleOptions, resample } from './audio/resample/resample.ts';
export { type Clock, systemClock } from './base/clock.ts';
export type { AsyncFallbackOptions } from './client/fallback/asyncFallback.ts';
export { asyncFallback } from './client/fallback/asyncFallback.ts';
export { resumeSpool } from './client/fallback/resumeSpool.ts';
export { type LiveOptions, live, type SpokenEvent } from './client/live.ts';
export { readSpool } from './client/spool/openSpool.ts';
export type { LiveOperator, Transcription } from './client/stream/liveOperator.ts';
export type {
  OverflowPolicy,
  SpoolOptions,
  StandbyOptions,
  TranscribeOptions,
} from './client/stream/options.ts';
export type { StreamStatus, StreamWarning } from './client/stream/status.ts';
export { transcribe } from './client/stream/transcribe.ts';
export { createGate, type Gate } from './flow/gate.ts';

// Transcript

export { decodeTranscript, encodeTranscript } from './protocol/transcriptJson.ts';
export { type LiveTranscript, mergeTranscript } from './transcript/merge/merge.ts';
export { type Coverage, type CoverageSpan, type HoleCause, holesOf } from './transcript/model/coverage.ts';
export type {
  FinalEvent,
  HoleEvent,
  LiveEvent,
  PartialEvent,
  RepairEvent,
  TranscriptEvent,
} from './transcript/model/events.ts';
export {
  type Monologue,
  type PunctElement,
  spanOf,
  type TextElement,
  type Transcript,
  type TranscriptElement,
  textOf,
  type UnknownElement,
} from './transcript/model/model.ts';

// Captions

export {
  type TerminalOutput,
  terminalOutput,
} from './captions/outputs/terminalOutput.ts';
export type { CaptionDisplay } from './captions/rows/captionDisplay.ts';
export { type LiveCaptionsOptions, liveCaptions } from './captions/rows/liveCaptions.ts';
export { type CaptionCueOptions, captionCues } from './transcript/cues/captionCues.ts';
export {
  CAPTION_PROFILES,
  type CaptionProfile,
} from './transcript/cues/captionProfile.ts';
export type { Cue } from './transcript/cues/cue.ts';
export { transcriptOfCues } from './transcript/cues/transcriptOfCues.ts';
export { readPlainText, writePlainText } from './transcript/formats/plainText.ts';
export { writeScc } from './transcript/formats/scc/scc.ts';
export { readSrt, writeSrt } from './transcript/formats/srt.ts';
export { writeTtml } from './transcript/formats/ttml.ts';
export { readVtt, writeVtt } from './transcript/formats/vtt.ts';

// Client

export type { TranscriptionOptions } from './client/jobs/areaTypes.ts';
export type { ClientOptions } from './client/jobs/clientOptions.ts';
export { type Client, createClient } from './client/jobs/createClient.ts';
export type {
  AccountBalance,
  Job,
  LanguageIdResult,
  LegacyJob,
  SentimentResult,
  VocabularyRecord,
} from './client/jobs/jobTypes.ts';
export type { MediaSource } from './client/jobs/mediaSource.ts';
export {
  createNotificationReceiver,
  type NotificationReceiver,
} from './client/jobs/notificationReceiver.ts';
export { type Notification, verifyNotification } from './protocol/notifications.ts';
export type { Vocabulary } from './protocol/vocabularies.ts';

// Errors

export { type ErrorCode, InvalidArgumentError, RxscribeError } from './base/errors.ts';
export { HolesRemainError } from './client/fallback/holeRepairs.ts';
export { InvalidParametersError, JobFailedError, NotFoundError } from './client/jobs/requestErrors.ts';
export {
  BadRequestError,
  ConnectionLostError,
  IdleError,
  NoInstanceError,
  OutOfCreditError,
  OverflowError,
  ServiceError,
  ShuttingDownError,
  StreamTimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnreachableError,
} from './client/serviceErrors.ts';
export { SignatureError } from './protocol/signature.ts';
export { StreamQueryError } from './protocol/streamQueryError.ts';
