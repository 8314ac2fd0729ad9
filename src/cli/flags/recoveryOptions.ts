import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { GROUP } from '../help/groups.ts';
import { seconds } from './optionValues.ts';

/** What a live run does when its connection breaks. */
export interface RecoveryFlags {
  readonly fallback?: 'async';
  readonly spool?: string;
  readonly spoolKeyFile?: string;
  readonly nextUrl: readonly string[];
  readonly giveUpAfter?: number;
}

/** How long an outage may last, in seconds: a file can be captioned again, what a microphone gives is gone. */
export const GIVE_UP_AFTER_SECONDS = { file: 120, live: 7200 } as const;

/** The options of commands that stream. */
export function addRecoveryOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.recovery)
    .addOption(
      new Option('--fallback <kind>', 'how to get the text of what could not be streamed').choices(['async']),
    )
    .option('--spool <file>', 'keep audio and transcript in a file for "rxscribe resume" until all is done')
    .option('--spool-key-file <file>', 'file with the key to encrypt the spool with')
    .addOption(
      new Option('--next-url <url>', 'service to use when --url fails; may be repeated')
        .argParser((url: string, previous: readonly string[] = []) => [...previous, url])
        .default([]),
    )
    .addOption(
      new Option('--give-up-after <seconds>', 'how long to try until something is final')
        .default(undefined, `${GIVE_UP_AFTER_SECONDS.file} of a file, else ${GIVE_UP_AFTER_SECONDS.live}`)
        .argParser(seconds),
    );
}

/** @throws InvalidArgumentError for flags that do not go together */
export function checkRecoveryFlags(flags: RecoveryFlags & { readonly url?: string }, command: string): void {
  const { spool, spoolKeyFile, nextUrl, url } = flags;
  if (spoolKeyFile !== undefined && spool === undefined) {
    throw new InvalidArgumentError(`${command}: --spool-key-file goes with --spool`);
  }
  if (nextUrl.length > 0 && !url) throw new InvalidArgumentError(`${command}: --next-url goes with --url`);
}
