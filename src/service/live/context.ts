import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Diarizer } from '../../engines/diarizer.ts';
import type { Punctuator } from '../../engines/punctuator.ts';
import type { RecognizerCapabilities } from '../../engines/recognizer.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StreamLimits } from '../limits.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import type { Admit } from './admission.ts';
import type { BacklogShare } from './backlog.ts';
import type { RecognizerQueue } from './recognizerQueue.ts';

/** Dependencies of a session. */
export interface SessionContext {
  readonly admit: Admit;
  readonly recognizers: RecognizerQueue;
  readonly capabilities: RecognizerCapabilities;
  /** Default: the embedded punctuator. */
  readonly punctuator?: Punctuator;
  /** Default: all speech has one speaker. */
  readonly diarizer?: Diarizer;
  readonly jobs: Jobs;
  readonly backlogOf: (accountId: string) => BacklogShare;
  readonly limits: StreamLimits;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly instruments: Instruments;
}
