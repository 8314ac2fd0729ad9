import { asyncFallback } from '../../client/fallback/asyncFallback.ts';
import { readSpoolKey } from '../../client/spool/spoolKey.ts';
import type { TranscribeOptions } from '../../client/stream/options.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import { GIVE_UP_AFTER_SECONDS, type RecoveryFlags } from '../flags/recoveryOptions.ts';

export interface LiveRecoveryFlags extends RecoveryFlags {
  readonly input: LiveInput;
  readonly brand: string;
  /** Undefined for a service inside this process. */
  readonly url?: string;
}

/** Returns the recovery of a stream that the flags ask for. @throws InvalidArgumentError for a key file without a key */
export function recoveryOptions(
  flags: LiveRecoveryFlags,
): Pick<TranscribeOptions, 'resume' | 'fallback' | 'spool'> {
  const { input, brand, fallback, spool, spoolKeyFile, giveUpAfter } = flags;
  const isStored = input.kind === 'file' || input.kind === 'address';
  const seconds = giveUpAfter ?? (isStored ? GIVE_UP_AFTER_SECONDS.file : undefined);
  return {
    // By default, a failure of the first connection is reported soon: only later outages may last.
    resume:
      seconds === undefined ? { giveUpAfterSeconds: GIVE_UP_AFTER_SECONDS.live } : resumeWithin(seconds),
    fallback: fallback ? asyncFallback({ brand }) : undefined,
    spool:
      spool === undefined
        ? undefined
        : {
            path: spool,
            key: spoolKeyFile === undefined ? undefined : readSpoolKey(spoolKeyFile),
            // The command removes the spool after it has written the transcript.
            keep: true,
            serviceEndsWithProcess: !flags.url,
          },
  };
}

/** Returns options that limit the first connection, too; with 0 seconds the first break ends the stream. */
function resumeWithin(seconds: number): TranscribeOptions['resume'] {
  return seconds === 0 ? false : { giveUpAfterSeconds: seconds, firstConnectionSeconds: seconds };
}
