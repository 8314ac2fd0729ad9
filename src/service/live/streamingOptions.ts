import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { TrustProxy } from '../../web/requestAddresses.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, StreamLimits } from '../limits.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import type { StreamSlots } from '../rateLimits/streamSlots.ts';
import type { Region } from '../region.ts';
import type { TaskEngines } from '../tasks/taskOptions.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';

/** Dependencies of the streams of a service. */
export interface StreamingOptions extends Pick<TaskEngines, 'recognizer' | 'punctuator' | 'diarizer'> {
  readonly region: Region;
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  /** Limit of streams at the same time. Default: that of the recogniser. */
  readonly maxStreams?: number;
  readonly limits: StreamLimits;
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  readonly streamSlots: StreamSlots;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  /** As in the HTTP server. */
  readonly baseUrl: () => string;
  readonly trustProxy: TrustProxy;
  readonly instruments: Instruments;
}
