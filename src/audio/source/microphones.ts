import { lastValueFrom, takeWhile, tap } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import { framesOf } from '../format/format.ts';
import { measureLevel } from '../level.ts';
import { MICROPHONE_DEFAULTS, type MicrophoneOptions, microphone } from './microphone.ts';
import { findProgram, outputOf, programMissing } from './program.ts';
import { fieldOf, partsOf, sourceName } from './recordedDevice.ts';
import { isDigitalSilence } from './silence.ts';

/** A device that audio can be recorded from. */
export interface MicrophoneDevice {
  /** The value of the option `device`. */
  readonly id: string;
  /** Description for people. */
  readonly name: string;
  readonly isDefault: boolean;
}

/**
 * Resolves with the microphones of the machine, the default one first: the sources of PulseAudio or PipeWire where one of
 * them runs, otherwise the capture devices of ALSA. Monitors of outputs come last. Linux only.
 *
 * @throws RxscribeError `program-missing` when neither `pactl` nor `arecord` is installed
 * @example
 * for (const { id, name } of await listMicrophones()) console.log(`${id}: ${name}`);
 */
export async function listMicrophones(): Promise<readonly MicrophoneDevice[]> {
  const [pactl, arecord] = ['pactl', 'arecord'].map(findProgram);
  if (!pactl && !arecord) throw programMissing('list microphones', 'arecord');
  const sources = pactl ? await pulseSources(pactl) : undefined;
  return sources ?? (arecord ? await alsaDevices(arecord) : []);
}

/** Resolves with the sources of a sound server, or undefined when none answers. */
async function pulseSources(pactl: string): Promise<readonly MicrophoneDevice[] | undefined> {
  try {
    return readPulseSources(
      ...(await Promise.all([outputOf(pactl, 'list', 'sources'), outputOf(pactl, 'info')])),
    );
  } catch {
    return undefined;
  }
}

/** Returns the sources that `pactl list sources` and `pactl info` print in English. */
export function readPulseSources(list: string, info: string): readonly MicrophoneDevice[] {
  const wanted = /^Default Source: (.+)$/m.exec(info)?.[1];
  const sources = partsOf(list).map(part => {
    const [id, name] = [fieldOf(part, 'Name'), sourceName(part)];
    return {
      id: `pulse:${id}`,
      name,
      isDefault: id === wanted,
      isMonitor: fieldOf(part, 'Monitor of Sink') !== 'n/a',
    };
  });
  const rank = ({ isDefault, isMonitor }: (typeof sources)[number]) => (isDefault ? 0 : isMonitor ? 2 : 1);
  return sources
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, name, isDefault }) => ({ id, name, isDefault }));
}

async function alsaDevices(arecord: string): Promise<readonly MicrophoneDevice[]> {
  // Without a sound card it ends with an error.
  return readAlsaDevices(await outputOf(arecord, '-l').catch(() => ''));
}

/** A line of `arecord -l`, in any language: `card 1: Mic [USB Mic], device 0: USB Audio [USB Audio]`. */
const CARD_LINE = /^\S+ \d+: (\S+) \[([^\]]*)\], \S+ (\d+): [^[]*\[([^\]]*)\]/gm;

/** Returns the devices that `arecord -l` prints. They are opened with conversion of rate and channels. */
export function readAlsaDevices(list: string): readonly MicrophoneDevice[] {
  return [...list.matchAll(CARD_LINE)].map(([, card, cardName, device, deviceName], i) => ({
    id: `plughw:CARD=${card},DEV=${device}`,
    name: cardName === deviceName ? cardName! : `${cardName}, ${deviceName}`,
    isDefault: i === 0,
  }));
}

/** Options of {@link checkMicrophone}. */
export interface CheckMicrophoneOptions extends Pick<MicrophoneOptions, 'device' | 'recorder' | 'clock'> {
  /** Seconds to listen. Default 2. */
  readonly seconds?: number;
}

/** Defaults of {@link CheckMicrophoneOptions}. */
export const CHECK_MICROPHONE_DEFAULTS = { seconds: 2 } as const;

/**
 * Listens to a microphone, and resolves with a sentence on its level.
 *
 * @throws RxscribeError as `microphone`; `audio-empty` when it gives digital silence only
 */
export async function checkMicrophone(options: CheckMicrophoneOptions = {}): Promise<string> {
  const { seconds = CHECK_MICROPHONE_DEFAULTS.seconds, ...rest } = options;
  let peakDb = Number.NEGATIVE_INFINITY;
  let frames = 0;
  let isSilent = true;
  const listening = microphone({ ...rest, silenceSeconds: Number.POSITIVE_INFINITY }).pipe(
    tap(block => {
      peakDb = Math.max(peakDb, measureLevel(block).peakDb);
      frames += framesOf(block);
      isSilent &&= isDigitalSilence(block);
    }),
    takeWhile(() => frames < seconds * MICROPHONE_DEFAULTS.sampleRate),
  );
  await lastValueFrom(listening, { defaultValue: undefined });
  const name = rest.device === undefined ? 'The default microphone' : `The microphone '${rest.device}'`;
  if (!isSilent) return `${name} works: its peak in ${seconds} s is ${peakDb.toFixed(0)} dB.`;
  throw new RxscribeError('audio-empty', `${name} gives digital silence. Check that it is not muted.`);
}
