import type { StreamStatus, StreamWarning } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** Something odd that did not end the run: with the stream, or with the audio. */
export type CaptionWarning = StreamWarning | { readonly code: string; readonly message: string };

/** How a run of captions is shown while it goes on. */
export interface CaptionView {
  event(event: LiveEvent): void;
  status(status: Exclude<StreamStatus, StreamWarning>): void;
  warning(warning: CaptionWarning): void;
  /** Once, at the end, also of a run that failed: all that was final. Resolves when everything is written. */
  close(transcript: Transcript): Promise<void>;
}
