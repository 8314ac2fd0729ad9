import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { isLiveAddress, readLiveAddress } from '../../audio/source/liveAddress.ts';
import { refuseIf } from '../../base/errors.ts';
import { isAddress } from './mediaArgument.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { integerFrom, seconds, speed } from './optionValues.ts';
import { checkRecoveryFlags, type RecoveryFlags } from './recoveryOptions.ts';
import { checkServiceFlags, type ServiceFlags } from './serviceOptions.ts';
import { checkSpoolFlags, type SpoolFlags } from './spoolOptions.ts';

/** Source of live audio. */
export type LiveInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'stdin' }
  /** `also`: a second device, whose audio is a channel of its own. */
  | { readonly kind: 'microphone'; readonly device?: string; readonly also?: string };

/** Returns the options of a command that streams live audio; `verb` names its use of a microphone. */
export function liveOptions(verb: string) {
  return [
    optionGroup('Input', {
      '--mic': `${verb} the microphone`,
      '--device <name>': { help: 'microphone to use', otherwise: 'that of the system' },
      '--speed <factor>': { help: 'multiple of real time, or max', parse: speed, default: 1 },
      '--rate <hz>': {
        help: 'sample rate to stream',
        parse: integerFrom(SAMPLE_RATE_RANGE.min, SAMPLE_RATE_RANGE.max),
        default: 16_000,
      },
      '--channels <number>': {
        help: 'channels to stream',
        parse: integerFrom(CHANNELS_RANGE.min, CHANNELS_RANGE.max),
        default: 1,
      },
      '--start-ts <seconds>': { help: 'time of the first sample', parse: seconds },
    }),
    optionGroup('Speech', { '--enable-speaker-switch': 'distinguish speakers' }),
  ] as const;
}

/** Flags that name a source of live audio beside the argument. */
export type InputFlags = Pick<FlagsOf<ReturnType<typeof liveOptions>>, 'mic' | 'device'>;

/** Device name under which recorders get the sound that a sound server plays. */
const LOOPBACK = 'pulse:@DEFAULT_MONITOR@';

/**
 * Returns the source that the argument and the flags name.
 *
 * @throws InvalidArgumentError for none or two sources, and for flags that exclude or require each other
 */
export function liveInput(
  file: string | undefined,
  {
    mic,
    device,
    also,
    ...flags
  }: InputFlags & { readonly also?: string } & ServiceFlags & RecoveryFlags & SpoolFlags,
): LiveInput {
  refuseIf(mic && file !== undefined, `Cannot read both '${file}' and a microphone. Leave out one of them.`);
  refuseIf(
    !mic && file === undefined,
    'No input. Name a file or an address, - for standard input, or --mic.',
  );
  refuseIf(device !== undefined && !mic, '--device requires --mic.');
  refuseIf(also !== undefined && !mic, '--also requires --mic.');
  // Throws for an address without a host.
  if (file !== undefined && isLiveAddress(file)) readLiveAddress(file);
  checkServiceFlags(flags);
  checkRecoveryFlags(flags);
  checkSpoolFlags(flags);
  if (file === undefined) return { kind: 'microphone', device, also: also === 'loopback' ? LOOPBACK : also };
  if (isAddress(file) || isLiveAddress(file)) return { kind: 'address', url: file };
  return file === '-' ? { kind: 'stdin' } : { kind: 'file', path: file };
}
