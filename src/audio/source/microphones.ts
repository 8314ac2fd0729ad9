import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { lastValueFrom, takeWhile, tap } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import { framesOf } from '../format/format.ts';
import { measureLevel } from '../level.ts';
import { MICROPHONE_DEFAULTS, type MicrophoneOptions, microphone } from './microphone.ts';
import { findProgram, programMissing } from './program.ts';
import { isDigitalSilence } from './silence.ts';

/** A device that audio can be recorded from. */
export interface MicrophoneDevice {
  /** The value of the option `device`. */
  readonly id: string;
  /** Description for people. */
  readonly name: string;
  readonly isDefault: boolean;
}

/** Limits of a program that lists devices: a sound server that hangs must not hang its caller. */
const LIST_LIMITS = { timeout: 5000, maxBuffer: 4 * 1024 * 1024 } as const;

const run = promisify(execFile);

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
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const [list, info] = await Promise.all([
      run(pactl, ['list', 'sources'], { ...LIST_LIMITS, env }),
      run(pactl, ['info'], { ...LIST_LIMITS, env }),
    ]);
    return readPulseSources(list.stdout, info.stdout);
  } catch {
    return undefined;
  }
}

/** Returns the sources that `pactl list sources` and `pactl info` print in English. */
export function readPulseSources(list: string, info: string): readonly MicrophoneDevice[] {
  const wanted = /^Default Source: (.+)$/m.exec(info)?.[1];
  const sources = list.split(/^Source #\d+$/m).flatMap(part => {
    const id = /^\tName: (.+)$/m.exec(part)?.[1];
    if (id === undefined) return [];
    const name = /^\tDescription: (.+)$/m.exec(part)?.[1] ?? id;
    const isMonitor = !/^\tMonitor of Sink: n\/a$/m.test(part);
    return [{ id: `pulse:${id}`, name, isDefault: id === wanted, isMonitor }];
  });
  const rank = ({ isDefault, isMonitor }: (typeof sources)[number]) => (isDefault ? 0 : isMonitor ? 2 : 1);
  return sources
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, name, isDefault }) => ({ id, name, isDefault }));
}

async function alsaDevices(arecord: string): Promise<readonly MicrophoneDevice[]> {
  // Without a sound card it ends with an error.
  const { stdout } = await run(arecord, ['-l'], {
    ...LIST_LIMITS,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  }).catch(() => ({ stdout: '' }));
  return readAlsaDevices(stdout);
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
