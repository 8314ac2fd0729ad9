import { asyncFallback } from '../../client/fallback/asyncFallback.ts';
import { readSpoolKey } from '../../client/spool/spoolKey.ts';
import type { TranscribeOptions } from '../../client/stream/options.ts';
import { GIVE_UP_AFTER_SECONDS, type RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { CaptionInput } from './captionInput.ts';

export interface RecoveryOf extends RecoveryFlags {
  readonly input: CaptionInput;
  readonly brand: string;
  /** Absent when the service is one of this process. */
  readonly url?: string;
}

/** How a stream recovers, as the flags say. @throws InvalidArgumentError for a key file without a key */
export function recoveryOptions(flags: RecoveryOf): Pick<TranscribeOptions, 'resume' | 'fallback' | 'spool'> {
  const { input, brand, fallback, spool, spoolKeyFile, giveUpAfter } = flags;
  const isStored = input.kind === 'file' || input.kind === 'address';
  const seconds = giveUpAfter ?? (isStored ? GIVE_UP_AFTER_SECONDS.file : undefined);
  return {
    // Who asks for nothing and speaks now wants to know soon that nobody hears.
    resume:
      seconds === undefined ? { giveUpAfterSeconds: GIVE_UP_AFTER_SECONDS.live } : resumeWithin(seconds),
    ...(fallback && { fallback: asyncFallback({ brand }) }),
    ...(spool !== undefined && {
      spool: {
        path: spool,
        ...(spoolKeyFile !== undefined && { key: readSpoolKey(spoolKeyFile) }),
        // Until the transcript is written as well.
        keep: true,
        ownService: !flags.url,
      },
    }),
  };
}

/** The first connection, too; without any patience, the first break is the end. */
function resumeWithin(seconds: number): TranscribeOptions['resume'] {
  return seconds === 0 ? false : { giveUpAfterSeconds: seconds, firstConnectionSeconds: seconds };
}
