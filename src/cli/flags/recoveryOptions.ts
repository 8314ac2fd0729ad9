import { refuseIf } from '../../base/errors.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { collect, seconds, serviceUrl } from './optionValues.ts';

/** Seconds that an outage may last: a file can be captioned again, while the audio of a microphone is lost. */
export const GIVE_UP_AFTER_SECONDS = { file: 120, live: 7200 } as const;

/** Options of commands that stream. */
export const RECOVERY_OPTIONS = optionGroup('When the connection breaks', {
  '--fallback <kind>': { help: 'transcribe gaps of the stream by a job', choices: ['async'] },
  '--spool <directory>': "keep audio and transcript for 'rxscribe resume' until all is written",
  '--next-url <url>': {
    help: 'service to use when --url fails; may be repeated',
    parse: collect(serviceUrl),
    default: [],
  },
  '--give-up-after <seconds>': {
    help: 'how long to try without a new final result',
    parse: seconds,
    otherwise: `${GIVE_UP_AFTER_SECONDS.file} for a file, else ${GIVE_UP_AFTER_SECONDS.live}`,
  },
});

/** Recovery of a live stream whose connection breaks. */
export type RecoveryFlags = FlagsOf<typeof RECOVERY_OPTIONS>;

/** @throws InvalidArgumentError for a flag without the one that it requires */
export function checkRecoveryFlags(flags: RecoveryFlags & { readonly url?: string }): void {
  const { nextUrl, url } = flags;
  refuseIf(nextUrl.length > 0 && !url, '--next-url requires --url.');
}
