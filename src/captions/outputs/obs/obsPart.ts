import type { CaptionStep } from '../../captionStep.ts';
import type { OutputReport } from '../captionOutput.ts';
import type { ObsSession } from './obsSession.ts';

/** One of the uses of a connection to OBS. */
export interface ObsPart {
  take(step: CaptionStep): void;
  /** Called with each new connection. */
  connected(session: ObsSession): void;
  /** Called after each heartbeat. */
  alive?(session: ObsSession): void;
  /** Called when the connection has ended. */
  disconnected(): void;
  report(): OutputReport;
  close(): Promise<void>;
}
