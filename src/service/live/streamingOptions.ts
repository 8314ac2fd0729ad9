import type { TrustProxy } from '../../web/requestAddresses.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { HttpAppOptions } from '../http/httpApp.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StreamLimits } from '../limits.ts';
import type { RateLimits } from '../rateLimits/rateLimits.ts';
import type { Region } from '../region.ts';
import type { StreamTokens } from '../streamTokens/streamTokens.ts';
import type { TaskEngines } from '../tasks/taskOptions.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';

/** Dependencies of the streams of a service. */
export interface StreamingOptions
  extends Pick<TaskEngines, 'recognizer' | 'punctuator' | 'diarizer'>,
    Pick<RateLimits, 'accountLimits' | 'throttle' | 'streamSlots'>,
    Pick<HttpAppOptions, 'baseUrl' | 'clock' | 'logger'> {
  readonly region: Region;
  readonly accounts: Accounts;
  readonly streamTokens: StreamTokens;
  readonly jobs: Jobs;
  /** Limit of streams at the same time. Default: that of the recogniser. */
  readonly maxStreams?: number;
  readonly limits: StreamLimits;
  readonly trustProxy: TrustProxy;
  readonly instruments: Instruments;
}
