import type { StreamStatus } from '../client/stream/status.ts';
import type { TranscriptEvent } from '../transcript/events.ts';
import type { Transcript } from '../transcript/model.ts';

/** How a run of captions is shown while it goes on. */
export interface CaptionView {
  event(event: TranscriptEvent): void;
  status(status: StreamStatus): void;
  /** Once, at the end, also of a run that failed: all that was final. Resolves when everything is written. */
  close(transcript: Transcript): Promise<void>;
}
