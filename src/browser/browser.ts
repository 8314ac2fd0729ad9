/**
 * The toolkit for pages: a microphone or the sound of a tab in, live transcripts and captions out.
 *
 * @module
 */

// Sources

export type { AudioBlock } from '../audio/format/format.ts';
export type { SourceStatus } from '../audio/source/reconnecting.ts';
export {
  type BrowserMicrophoneOptions,
  browserMicrophone,
  type DisplayAudioOptions,
  displayAudio,
} from './browserMicrophone.ts';
export { CAPTURE_WORKLET } from './captureWorklet.ts';

// Operators

export { chunk } from '../audio/chunk.ts';
export { type AudioLevel, level } from '../audio/level.ts';
export { pausable } from '../audio/pausable.ts';
export { type ResampleOptions, resample } from '../audio/resample/resample.ts';
export type { LiveOperator, Transcription } from '../client/stream/liveOperator.ts';
export type { StreamStatus, StreamWarning } from '../client/stream/status.ts';
export { type BrowserTranscribeOptions, transcribe } from './transcribe.ts';

// Transcript and captions

export type { CaptionDisplay } from '../captions/rows/captionDisplay.ts';
export { type LiveCaptionsOptions, liveCaptions } from '../captions/rows/liveCaptions.ts';
export { type CaptionCueOptions, captionCues } from '../transcript/cues/captionCues.ts';
export type { Cue } from '../transcript/cues/cue.ts';
export { writePlainText } from '../transcript/formats/plainText.ts';
export { writeVtt } from '../transcript/formats/vtt.ts';
export { type LiveTranscript, mergeTranscript } from '../transcript/merge/merge.ts';
export { holesOf } from '../transcript/model/coverage.ts';
export type { FinalEvent, LiveEvent, PartialEvent } from '../transcript/model/events.ts';
export { spanOf, type Transcript, textOf } from '../transcript/model/model.ts';

// Errors

export { InvalidArgumentError, RxscribeError } from '../base/errors.ts';
export { ServiceError, UnauthorizedError } from '../client/serviceErrors.ts';
