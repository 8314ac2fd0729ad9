import { asyncFallback } from '../../client/fallback/asyncFallback.ts';
import type { TranscribeOptions } from '../../client/stream/options.ts';
import { pickStreamOptions, type StreamOptions } from '../../protocol/streamQuery.ts';
import type { LiveInput } from '../flags/liveOptions.ts';
import { GIVE_UP_AFTER_SECONDS, type RecoveryFlags } from '../flags/recoveryOptions.ts';

/** Flags of commands that stream. */
export interface SessionFlags extends RecoveryFlags, StreamOptions {
  readonly input: LiveInput;
  readonly brand: string;
  /** Undefined for a service inside this process. */
  readonly url?: string;
  readonly token?: string;
}

/** Access to a service. */
export interface ServiceAccess {
  readonly url: string;
  readonly token: string;
}

/**
 * Returns the options of a stream: its query, service and recovery.
 *
 * @param service the one to use where the flags name none
 */
export function sessionOptions(flags: SessionFlags, service?: ServiceAccess): TranscribeOptions {
  const { input, brand, fallback, spool, giveUpAfter, url, nextUrl, token } = flags;
  const isStored = input.kind === 'file' || input.kind === 'address';
  const seconds = giveUpAfter ?? (isStored ? GIVE_UP_AFTER_SECONDS.file : undefined);
  return {
    ...pickStreamOptions(flags),
    url: service?.url ?? [url!, ...nextUrl],
    token: service?.token ?? token!,
    // By default, a failure of the first connection is reported soon: only later outages may last.
    resume:
      seconds === undefined ? { giveUpAfterSeconds: GIVE_UP_AFTER_SECONDS.live } : resumeWithin(seconds),
    fallback: fallback ? asyncFallback({ brand }) : undefined,
    spool:
      spool === undefined
        ? undefined
        : {
            path: spool,
            // The command removes the spool after it has written the transcript.
            keep: true,
            serviceEndsWithProcess: !url,
          },
  };
}

/** Returns options that limit the first connection, too; with 0 seconds the first break ends the stream. */
function resumeWithin(seconds: number): TranscribeOptions['resume'] {
  return seconds === 0 ? false : { giveUpAfterSeconds: seconds, firstConnectionSeconds: seconds };
}
