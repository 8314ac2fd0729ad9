import { type Command, Option } from 'commander';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { GROUP } from '../help/groups.ts';
import type { CaptionInput } from '../live/captionInput.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { isAddress } from './mediaArgument.ts';
import { integerFrom, seconds, speed } from './optionValues.ts';
import { checkRecoveryFlags, type RecoveryFlags } from './recoveryOptions.ts';
import { checkServiceFlags, type ServiceFlags } from './serviceOptions.ts';
import { checkSpoolFlags, type SpoolFlags } from './spoolOptions.ts';

/** Where the audio of a live command comes from, beside its argument. */
export interface InputFlags {
  readonly mic?: boolean;
  readonly device?: string;
}

/** The options of every command that streams audio as it comes: `verb` says what it does with it. */
export function addLiveOptions(command: Command, verb: string): Command {
  return command
    .optionsGroup(GROUP.input)
    .option('--mic', `${verb} the microphone`)
    .addOption(new Option('--device <name>', 'which microphone').default(undefined, "the system's"))
    .addOption(new Option('--speed <factor>', 'times real time, or max').default(1).argParser(speed))
    .addOption(
      new Option('--rate <hz>', 'sample rate to stream')
        .default(16_000)
        .argParser(integerFrom(SAMPLE_RATE_RANGE.min, SAMPLE_RATE_RANGE.max)),
    )
    .addOption(
      new Option('--channels <number>', 'channels to stream')
        .default(1)
        .argParser(integerFrom(CHANNELS_RANGE.min, CHANNELS_RANGE.max)),
    )
    .addOption(new Option('--start-ts <seconds>', 'time of the first sample').argParser(seconds))
    .optionsGroup(GROUP.speech)
    .option('--enable-speaker-switch', 'tell speakers apart');
}

/**
 * What the argument and the flags name.
 *
 * @throws InvalidArgumentError for none or two of them, and for flags that do not go together
 */
export function liveInput(
  file: string | undefined,
  { mic, device, ...flags }: InputFlags & ServiceFlags & RecoveryFlags & SpoolFlags,
  command: string,
): CaptionInput {
  if ((file === undefined) === !mic) {
    throw new InvalidArgumentError(`${command}: expected a file, - or --mic, and only one of them`);
  }
  if (device !== undefined && !mic) {
    throw new InvalidArgumentError(`${command}: --device goes with --mic`);
  }
  checkServiceFlags(flags, command);
  checkRecoveryFlags(flags, command);
  checkSpoolFlags(flags, command);
  if (mic) return { kind: 'microphone', device };
  if (isAddress(file!)) return { kind: 'address', url: file! };
  return file === '-' ? { kind: 'stdin' } : { kind: 'file', path: file! };
}

/** A service of one's own, where none is named: on its way before all the rest, since its recogniser takes longest. */
export function startingService(
  run: ServiceFlags & Pick<RecoveryFlags, 'fallback'>,
): Promise<EmbeddedService> | undefined {
  if (run.url) return undefined;
  return loadLocal('embeddedService').then(module =>
    module.embeddedService({ ...run, keepsJobs: run.fallback !== undefined }),
  );
}
