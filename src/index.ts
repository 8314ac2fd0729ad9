/**
 * The toolkit: audio in, live transcripts out.
 *
 * @module
 */

import './base/toolkitNode.ts';

export type { AudioWarning, SourceOptions } from './audio/blockSource.ts';
// Audio on its way
export { chunk, DEFAULT_CHUNK_MS } from './audio/chunk.ts';
// What audio is
export {
  type AudioContentType,
  CHANNELS_RANGE,
  formatContentType,
  parseContentType,
  SAMPLE_RATE_RANGE,
  type SampleLayout,
} from './audio/contentType.ts';
// Sources of audio
export { fromFile } from './audio/file.ts';
export { type AudioBlock, framesOf, type PcmFormat, type SampleFormat } from './audio/format.ts';
export type { FrameRange } from './audio/frameRange.ts';
export {
  type Frames,
  type FramesOptions,
  type FramesSource,
  fromFrames,
  MAX_FLOAT_SAMPLE,
} from './audio/frames.ts';
export { type AudioLevel, level, measureLevel } from './audio/level.ts';
export {
  MICROPHONE_DEFAULTS,
  type MicrophoneOptions,
  microphone,
  RECORDERS,
  type Recorder,
} from './audio/microphone.ts';
export { PACE_AHEAD_MS, type PaceOptions, pace } from './audio/pace.ts';
export { type PausableOptions, pausable } from './audio/pausable.ts';
export { decodePcm, encodePcm } from './audio/pcm.ts';
export { fromReadable, type ReadableOptions } from './audio/readable.ts';
export { RESAMPLE_DEFAULTS, type ResampleOptions, resample } from './audio/resample.ts';
// Errors and time
export { type Clock, systemClock } from './base/clock.ts';
export { type ErrorCode, InvalidArgumentError, RxscribeError } from './base/errors.ts';
// Live captions
export type { CaptionDisplay } from './captions/captionState.ts';
export { PAUSED_NOTICE } from './captions/captionState.ts';
export {
  DEFAULT_LIVE_CAPTIONS_OPTIONS,
  type LiveCaptionsOptions,
  liveCaptions,
} from './captions/liveCaptions.ts';
export {
  type TerminalOutput,
  type TerminalOutputOptions,
  terminalOutput,
} from './captions/terminalOutput.ts';
// Text for what could not be streamed
export { asyncFallback } from './client/fallback/asyncFallback.ts';
export { ASYNC_FALLBACK_DEFAULTS, type AsyncFallbackOptions } from './client/fallback/fallbackOptions.ts';
export type { RepairProgress } from './client/fallback/holeJob.ts';
export { HolesRemainError, type UnrepairedHole } from './client/fallback/holesRemainError.ts';
export { type LeftHoles, leftHoles } from './client/fallback/leftHoles.ts';
export {
  type ResumedTranscript,
  type ResumeSpoolOptions,
  resumeSpool,
} from './client/fallback/resumeSpool.ts';
// The HTTP client
export type { AlignmentArea, AlignmentOptions } from './client/jobs/alignmentArea.ts';
export type { CallOptions, ListOptions } from './client/jobs/callOptions.ts';
export { CLIENT_DEFAULTS, type ClientOptions } from './client/jobs/clientOptions.ts';
export { type Client, createClient } from './client/jobs/createClient.ts';
export type { DeletableJobs, JobArea } from './client/jobs/jobArea.ts';
export { JobFailedError } from './client/jobs/jobFailedError.ts';
export type {
  AccountBalance,
  Job,
  LanguageIdResult,
  LegacyJob,
  SentimentMessage,
  SentimentResult,
  VocabularyRecord,
} from './client/jobs/jobTypes.ts';
export type { LanguageIdArea, LanguageIdOptions } from './client/jobs/languageIdArea.ts';
export type { LegacyArea, LegacyOptions } from './client/jobs/legacyArea.ts';
export type { Address, DataSource, FileSource, MediaSource } from './client/jobs/mediaSource.ts';
export type { UploadProgress } from './client/jobs/multipart.ts';
export {
  createNotificationReceiver,
  type NotificationReceiver,
  type NotificationReceiverOptions,
} from './client/jobs/notificationReceiver.ts';
export {
  InvalidJobStateError,
  InvalidParametersError,
  NotAcceptableError,
  NotFoundError,
  PayloadTooLargeError,
  RequestTimeoutError,
  ServiceUnavailableError,
} from './client/jobs/requestErrors.ts';
export type { SentimentArea, SentimentOptions, SentimentResultOptions } from './client/jobs/sentimentArea.ts';
export type { UploadOptions } from './client/jobs/submissionFields.ts';
export type {
  CaptionsOptions,
  TranscriptionArea,
  TranscriptionOptions,
} from './client/jobs/transcriptionArea.ts';
export type { TextTranscripts, Transcripts } from './client/jobs/transcripts.ts';
export type { VocabulariesArea, VocabularyOptions } from './client/jobs/vocabulariesArea.ts';
export { WAIT_DEFAULTS, type WaitOptions } from './client/jobs/waitFor.ts';
// What services and the way to them do wrong
export {
  BadRequestError,
  ConnectionLostError,
  OutOfCreditError,
  type Problem,
  ProtocolError,
  ServiceError,
  type ServiceErrorDetails,
  ServiceFailedError,
  TooManyRequestsError,
  UnauthorizedError,
  UnreachableError,
} from './client/serviceErrors.ts';
// Audio that waits for its text
export type { Chunk } from './client/spool/chunk.ts';
export {
  createReplayStore,
  REPLAY_STORE_DEFAULTS,
  type ReplayStoreOptions,
} from './client/spool/createReplayStore.ts';
export { type OpenSpoolOptions, openSpool } from './client/spool/openSpool.ts';
export { type ReadSpoolOptions, readSpool } from './client/spool/readSpool.ts';
export type { ReplayStore } from './client/spool/replayStore.ts';
export type { LeftSpool, Spool, SpoolNote, SpoolSubject } from './client/spool/spool.ts';
export { readSpoolKey } from './client/spool/spoolKey.ts';
export type { ChannelLine, ChannelStatus } from './client/stream/channels/channelLines.ts';
export {
  type ChannelsApart,
  type ChannelsApartOptions,
  channelsApart,
} from './client/stream/channels/channelsApart.ts';
export type { Fallback, FallbackContext, Hole, Repairs } from './client/stream/fallback.ts';
export type { LiveOperator } from './client/stream/liveOperator.ts';
// The live stream
export {
  type OverflowPolicy,
  type SpoolOptions,
  STREAM_DEFAULTS,
  type TranscribeOptions,
} from './client/stream/options.ts';
// Recovery, part by part
export {
  CATCH_UP_DEFAULTS,
  type CatchUp,
  type CatchUpOptions,
  createCatchUp,
} from './client/stream/recovery/catchUp.ts';
export {
  type Failure,
  type NextTry,
  nextTry,
  type Outage,
  RECONNECT_DEFAULTS,
  type ReconnectOptions,
} from './client/stream/recovery/reconnect.ts';
export {
  gridFrame,
  nextResume,
  type ResumeEvent,
  type ResumeState,
  startOfResume,
  timeGridFrames,
} from './client/stream/recovery/resume.ts';
export type { StreamStatus, StreamWarning } from './client/stream/status.ts';
export {
  IdleError,
  NoInstanceError,
  OverflowError,
  ShuttingDownError,
  StreamTimeoutError,
} from './client/stream/streamErrors.ts';
export { type Transcription, transcribe } from './client/stream/transcribe.ts';
export { createGate, type Gate } from './flow/gate.ts';
// Notifications
export {
  type Notification,
  type VerifyNotificationOptions,
  verifyNotification,
} from './protocol/notifications.ts';
export { SIGNATURE_TOLERANCE_SECONDS, SignatureError } from './protocol/signature.ts';
// What is asked of a stream
export {
  formatStreamQuery,
  parseStreamQuery,
  type StreamQuery,
  StreamQueryError,
} from './protocol/streamQuery.ts';

// Reading and writing transcripts
export { decodeTranscript, encodeTranscript, type TranscriptJson } from './protocol/transcriptJson.ts';
export type { Vocabulary } from './protocol/vocabularies.ts';
export { type CaptionCueOptions, captionCues } from './transcript/cues/captionCues.ts';
export {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from './transcript/cues/captionProfile.ts';
export type { Cue } from './transcript/cues/cue.ts';
export { transcriptOfCues } from './transcript/cues/transcriptOfCues.ts';
export { CaptionFormatError } from './transcript/formats/captionFormat.ts';
export { type PlainTextOptions, readPlainText, writePlainText } from './transcript/formats/plainText.ts';
export { readSrt, writeSrt } from './transcript/formats/srt.ts';
export { readVtt, writeVtt } from './transcript/formats/vtt.ts';
export {
  emptyLiveTranscript,
  type LiveTranscript,
  mergeEvent,
  mergeTranscript,
} from './transcript/merge/merge.ts';
export { dropRepeated } from './transcript/merge/seam.ts';
// The transcript
export {
  type Coverage,
  type CoverageSpan,
  type HoleCause,
  holesOf,
} from './transcript/model/coverage.ts';
export type {
  ConnectedEvent,
  FinalEvent,
  HoleEvent,
  LiveEvent,
  PartialEvent,
  RepairEvent,
  SilenceEvent,
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
export type { Said } from './transcript/repair/besideHole.ts';
export { matchSpeakers } from './transcript/repair/matchSpeakers.ts';
export { type RepairPlace, spliceRepair } from './transcript/repair/spliceRepair.ts';
