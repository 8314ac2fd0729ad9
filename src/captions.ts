/**
 * Live captions in a program: the text as it becomes certain, the outputs that show it, and the person who controls them.
 *
 * @module
 */

import './base/toolkitNode.ts';

// A source with its outputs

export type {
  CaptionControl,
  ControlCommand,
  ControlledOutput,
  ControlState,
} from './captions/control/captionControl.ts';
export {
  type OperatorDecisions,
  readDecisions,
  writeDecisions,
} from './captions/control/operatorDecisions.ts';
export {
  type OperatorHandler,
  type OperatorOptions,
  type OperatorRoom,
  operatorRoutes,
} from './captions/control/operatorRoutes.ts';
export type { AudioClock } from './captions/hub/audioClock.ts';
export { CaptionRoom, type CaptionRoomOptions } from './captions/hub/captionRoom.ts';
export type { CaptionTrack } from './captions/hub/captionTrack.ts';
export { type FeedOptions, OutputFeed } from './captions/hub/outputFeed.ts';
export type { QueryChange } from './client/stream/options.ts';

// Outputs

export type { CaptionOutput, OutputOptions, OutputReport } from './captions/outputs/captionOutput.ts';
export { type FileOutput, type FileOutputOptions, fileOutput } from './captions/outputs/files.ts';
export { type HlsOptions, hlsMediaLine } from './captions/outputs/hls/hlsOptions.ts';
export { hlsOutput } from './captions/outputs/hls/hlsOutput.ts';
export type { ObsFollow, ObsOutputOptions } from './captions/outputs/obs/obsOptions.ts';
export { type ObsOutput, obsOutput } from './captions/outputs/obs/obsOutput.ts';
export {
  type CaptionPage,
  type CaptionPageOptions,
  openCaptionPage,
  type PageHandler,
} from './captions/outputs/page/captionPage.ts';
export type { PostOptions } from './captions/outputs/postOutput.ts';
export { type TerminalCaptionsOptions, terminalCaptions } from './captions/outputs/terminalCaptions.ts';
export { type YouTubeOptions, youtubeOutput } from './captions/outputs/youtube.ts';
export { type ZoomOptions, zoomOutput } from './captions/outputs/zoom.ts';

// Steps, for outputs of your own

export type { CaptionStep, LiveCue, WordsStep } from './captions/captionStep.ts';
export { type CaptionStepOptions, captionSteps } from './captions/captionSteps.ts';
export { type CuesStep, type LiveCueOptions, liveCues } from './captions/cues/liveCues.ts';
export {
  captionDisplays,
  type DisplayState,
  initialDisplayState,
  nextDisplay,
} from './captions/rows/captionDisplay.ts';
export type { RollUpShape } from './captions/rows/rollUp.ts';
export type { CaptionWord } from './captions/words/captionWord.ts';

// Texts and names

export type { HookCounts } from './captions/hook/hookRun.ts';
export { type TextHookOptions, textHook } from './captions/hook/textHook.ts';
export { type Replacement, type TextRules, textRules } from './captions/text/textRules.ts';
export { type Names, withNames } from './transcript/merge/withNames.ts';
