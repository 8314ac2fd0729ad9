import { type Command, Option } from 'commander';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { isLiveAddress, readLiveAddress } from '../../audio/source/liveAddress.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { GROUP } from '../help/groups.ts';
import { isAddress } from './mediaArgument.ts';
import { integerFrom, seconds, speed } from './optionValues.ts';
import { checkRecoveryFlags, type RecoveryFlags } from './recoveryOptions.ts';
import { checkServiceFlags, type ServiceFlags } from './serviceOptions.ts';
import { checkSpoolFlags, type SpoolFlags } from './spoolOptions.ts';

/** Source of live audio. */
export type LiveInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'microphone'; readonly device?: string };

/** Flags that name a source of live audio beside the argument. */
export interface InputFlags {
  readonly mic?: boolean;
  readonly device?: string;
}

/** Adds the options of every command that streams live audio; `verb` is what it does with a microphone. */
export function addLiveOptions(command: Command, verb: string): Command {
  return command
    .optionsGroup(GROUP.input)
    .option('--mic', `${verb} the microphone`)
    .addOption(new Option('--device <name>', 'microphone to use').default(undefined, 'that of the system'))
    .addOption(new Option('--speed <factor>', 'multiple of real time, or max').default(1).argParser(speed))
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
    .option('--enable-speaker-switch', 'distinguish speakers');
}

/**
 * Returns the source that the argument and the flags name.
 *
 * @throws InvalidArgumentError for none or two sources, and for flags that exclude or require each other
 */
export function liveInput(
  file: string | undefined,
  { mic, device, ...flags }: InputFlags & ServiceFlags & RecoveryFlags & SpoolFlags,
): LiveInput {
  if ((file === undefined) === !mic) {
    throw new InvalidArgumentError(
      mic
        ? `Cannot read both '${file}' and a microphone. Leave out one of them.`
        : 'No input. Name a file or an address, - for standard input, or --mic.',
    );
  }
  if (device !== undefined && !mic) throw new InvalidArgumentError('--device requires --mic.');
  // Throws for an address without a host.
  if (file !== undefined && isLiveAddress(file)) readLiveAddress(file);
  checkServiceFlags(flags);
  checkRecoveryFlags(flags);
  checkSpoolFlags(flags);
  if (mic) return { kind: 'microphone', device };
  if (isAddress(file!) || isLiveAddress(file!)) return { kind: 'address', url: file! };
  return file === '-' ? { kind: 'stdin' } : { kind: 'file', path: file! };
}
