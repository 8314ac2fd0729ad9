/**
 * The parts of recovery, each usable alone: replay store and spool, resume, reconnect, catch-up, repair.
 *
 * @module
 */

import './base/toolkitNode.ts';

// Audio that is kept until it has a result

export type { FrameRange } from './audio/format/frameRange.ts';
export { createReplayStore, type ReplayStoreOptions } from './client/spool/createReplayStore.ts';
export {
  type OpenSpoolOptions,
  openSpool,
  type ReadSpoolOptions,
  readSpool,
} from './client/spool/openSpool.ts';
export type {
  AbandonedSpool,
  Chunk,
  ReplayStore,
  Spool,
  SpoolNote,
  SpoolSubject,
} from './client/spool/spool.ts';
export { readSpoolKey } from './client/spool/spoolKey.ts';

// Resume after a break

export {
  IdleError,
  NoInstanceError,
  OverflowError,
  ShuttingDownError,
  StreamTimeoutError,
} from './client/serviceErrors.ts';
export {
  type CatchUp,
  type CatchUpOptions,
  createCatchUp,
} from './client/stream/recovery/catchUp.ts';
export {
  type Failure,
  type NextAttempt,
  nextAttempt,
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
export { emptyLiveTranscript, mergeEvent } from './transcript/merge/merge.ts';
export { dropRepeated } from './transcript/merge/seam.ts';

// Repair of holes by jobs

export { type AbandonedHoles, abandonedHoles } from './client/fallback/abandonedHoles.ts';
export {
  type ResumedTranscript,
  type ResumeSpoolOptions,
  resumeSpool,
} from './client/fallback/resumeSpool.ts';
export type { Fallback, FallbackContext, Hole, Repairs } from './client/stream/fallback.ts';
export { matchSpeakers } from './transcript/repair/matchSpeakers.ts';
export type { SpeakerTurn } from './transcript/repair/speakerTurns.ts';
export { type RepairPlace, spliceRepair } from './transcript/repair/spliceRepair.ts';

// Sessions: channels apart, content types, queries

export { type AudioContentType, formatContentType, parseContentType } from './audio/format/contentType.ts';
export type { ChannelStatus, ChannelStream } from './client/stream/channels/channelsApart.ts';
export {
  type ChannelsApart,
  type ChannelsApartOptions,
  channelsApart,
} from './client/stream/channels/channelsApart.ts';
export {
  formatStreamQuery,
  parseStreamQuery,
  type StreamQuery,
} from './protocol/streamQuery.ts';
export { StreamQueryError } from './protocol/streamQueryError.ts';
