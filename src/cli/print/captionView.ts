import type { CaptionOutput } from '../../captions/outputs/captionOutput.ts';
import type { StreamStatus, StreamWarning } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** A problem of the stream or the audio that did not end the run. */
export type CaptionWarning = StreamWarning | { readonly code: string; readonly message: string };

/** Output of a caption run in progress. */
export interface CaptionView {
  /** Output for captions, if the view shows any. */
  readonly captions?: CaptionOutput;
  event(event: LiveEvent): void;
  status(status: Exclude<StreamStatus, StreamWarning>): void;
  warning(warning: CaptionWarning): void;
  /** Shows a note on the operation, such as the state of an output. */
  note(note: { readonly code: string; readonly message: string }): void;
  /** Shows the state of the run on a line that changes; returns false where there is no terminal for it. */
  state(text: string): boolean;
  /** Ends the output, also of a failed run, with all final results. Resolves when everything is written. */
  close(transcript: Transcript): Promise<void>;
}
