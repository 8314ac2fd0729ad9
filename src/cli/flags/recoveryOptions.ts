import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { GROUP } from '../help/groups.ts';
import { collect, seconds, serviceUrl } from './optionValues.ts';

/** Recovery of a live stream whose connection breaks. */
export interface RecoveryFlags {
  readonly fallback?: 'async';
  readonly spool?: string;
  readonly spoolKeyFile?: string;
  readonly nextUrl: readonly string[];
  /** Seconds. */
  readonly giveUpAfter?: number;
}

/** Seconds that an outage may last: a file can be captioned again, while the audio of a microphone is lost. */
export const GIVE_UP_AFTER_SECONDS = { file: 120, live: 7200 } as const;

/** Adds the options of commands that stream. */
export function addRecoveryOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.recovery)
    .addOption(new Option('--fallback <kind>', 'transcribe gaps of the stream by a job').choices(['async']))
    .option(
      '--spool <file>',
      "keep audio and transcript in a file for 'rxscribe resume' until all is written",
    )
    .option('--spool-key-file <file>', 'file with the key that encrypts the spool')
    .addOption(
      new Option('--next-url <url>', 'service to use when --url fails; may be repeated')
        .argParser(collect(serviceUrl))
        .default([]),
    )
    .addOption(
      new Option('--give-up-after <seconds>', 'how long to try without a new final result')
        .default(undefined, `${GIVE_UP_AFTER_SECONDS.file} for a file, else ${GIVE_UP_AFTER_SECONDS.live}`)
        .argParser(seconds),
    );
}

/** @throws InvalidArgumentError for a flag without the one that it requires */
export function checkRecoveryFlags(flags: RecoveryFlags & { readonly url?: string }): void {
  const { spool, spoolKeyFile, nextUrl, url } = flags;
  if (spoolKeyFile !== undefined && spool === undefined) {
    throw new InvalidArgumentError('--spool-key-file requires --spool.');
  }
  if (nextUrl.length > 0 && !url) throw new InvalidArgumentError('--next-url requires --url.');
}
