import { type ChildProcess, spawn } from 'node:child_process';
import { Observable } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import type { AudioBlock } from '../format/format.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import { type AudioWarning, warnProcess } from './blockSource.ts';
import { type ChildEnd, findProgram, programMissing, watchChild } from './program.ts';

/** Programs that record: ALSA's, and two names of SoX. */
export const RECORDERS = ['arecord', 'rec', 'sox'] as const;

export type Recorder = (typeof RECORDERS)[number];

export interface MicrophoneOptions {
  /** The recorder's name for the device, such as `hw:1,0` or `pulse` for ALSA. Default: the system's own choice. */
  readonly device?: string;
  /** Hz. */
  readonly sampleRate?: number;
  readonly channels?: number;
  /** `auto`: the first of {@link RECORDERS} that is installed; arecord gives audio in the smallest pieces. */
  readonly recorder?: Recorder | 'auto';
  /** Longest time without a byte, also at the start; a muted microphone gives silence, not nothing. */
  readonly stallTimeoutMs?: number;
  /** Told when audio is lost, as far as the recorder says so (arecord does). Default `warnProcess`. */
  readonly onWarning?: (warning: AudioWarning) => void;
  readonly clock?: Clock;
}

export const MICROPHONE_DEFAULTS = {
  sampleRate: 16_000,
  channels: 1,
  recorder: 'auto',
  stallTimeoutMs: 10_000,
} as const satisfies MicrophoneOptions;

/**
 * The sound of a microphone, live. It cannot wait: who is slow must keep what comes. Where arecord says that the machine
 * was too busy to take the sound, there is a gap of the length that it tells, and a warning.
 *
 * Each subscriber starts a recorder of its own; unsubscribing kills it. A recording never completes: that the recorder
 * ends is an RxscribeError, `audio-device` with the recorder's own reason (no such device, busy), `program-failed` when
 * it was killed, `program-missing` when there is none, `timeout` when it gives nothing.
 *
 * @example
 * microphone({ device: 'hw:1,0' }).pipe(chunk(), transcribe({ url, token })).subscribe(print);
 * @throws InvalidArgumentError for a rate or a number of channels out of range, or a time that is not above 0
 */
export function microphone(options: MicrophoneOptions = {}): Observable<AudioBlock> {
  const {
    device,
    sampleRate = MICROPHONE_DEFAULTS.sampleRate,
    channels = MICROPHONE_DEFAULTS.channels,
    recorder: wanted = MICROPHONE_DEFAULTS.recorder,
    stallTimeoutMs = MICROPHONE_DEFAULTS.stallTimeoutMs,
    onWarning = warnProcess,
    clock = systemClock,
  } = options;
  checkRange('sampleRate', sampleRate, SAMPLE_RATE_RANGE);
  checkRange('channels', channels, CHANNELS_RANGE);
  if (!(stallTimeoutMs > 0)) {
    throw new InvalidArgumentError(`microphone: wanted stallTimeoutMs above 0, found ${stallTimeoutMs}`);
  }
  return new Observable(subscriber => {
    const recorder = chooseRecorder(wanted);
    const record = (start: () => ChildProcess) => {
      if (subscriber.closed) return;
      const child = start();
      const reader = createPcmReader({ sampleFormat: 'S16LE', sampleRate, channels });
      let cancelStall = () => {};
      subscriber.add(() => {
        cancelStall();
        // A recorder has nothing to save, and a stopped one hears nothing else.
        child.kill('SIGKILL');
      });
      const expectBytes = () => {
        cancelStall();
        cancelStall = clock.schedule(stallTimeoutMs, () => {
          const found = `wanted audio, found none for ${stallTimeoutMs} ms`;
          subscriber.error(new RxscribeError('timeout', `record with ${recorder}: ${found}`));
        });
      };
      expectBytes();
      let lostMs = 0;
      followLosses(child, moreMs => {
        lostMs += moreMs;
        const message = `record with ${recorder}: the machine was too busy, at least ${moreMs} ms are lost`;
        onWarning({ code: 'audio-damaged', message });
      });
      // At once: the stream is flowing already, and what flows before there is a listener is lost.
      child.stdout?.on('data', (bytes: Uint8Array) => {
        if (subscriber.closed) return;
        expectBytes();
        const block = reader.push(bytes);
        const lostFrames = Math.round((lostMs * sampleRate) / 1000);
        if (block) subscriber.next({ ...block, startFrame: block.startFrame + lostFrames });
      });
      watchChild(child).then(end => subscriber.error(whyEnded(recorder, end)));
    };
    loadRecorder(recorder, { device, sampleRate, channels })
      .then(record)
      .catch(error => subscriber.error(error));
  });
}

function checkRange(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new InvalidArgumentError(`microphone: wanted ${name} from ${min} to ${max}, found ${value}`);
}

function chooseRecorder(wanted: Recorder | 'auto'): Recorder {
  const candidates = wanted === 'auto' ? RECORDERS : [wanted];
  const found = candidates.find(name => findProgram(name));
  if (!found) throw programMissing('record', candidates.join(' or '));
  return found;
}

/** Tells of each loss in milliseconds. */
function followLosses(child: ChildProcess, onLoss: (lostMs: number) => void): void {
  const readOverruns = createOverrunReader();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lostMs = readOverruns(text);
    if (lostMs > 0) onLoss(lostMs);
  });
}

/** Commands by recorder, loaded when one is used: the package's own entry finds them by a path that no bundle has. */
const COMMANDS = {
  arecord: () => import('node-record-lpcm16/recorders/arecord.js'),
  rec: () => import('node-record-lpcm16/recorders/rec.js'),
  sox: () => import('node-record-lpcm16/recorders/sox.js'),
};

/**
 * Resolves with what starts a recorder. Only the commands of node-record-lpcm16 are used: its recording ends as if all
 * were well when the recorder dies, drops what it says on stderr, emits errors that are strings, and its pause repeats
 * later what was said meanwhile.
 */
async function loadRecorder(
  recorder: Recorder,
  { device, sampleRate, channels }: MicrophoneOptions,
): Promise<() => ChildProcess> {
  const { default: commandOf } = await COMMANDS[recorder]();
  const { cmd, args, spawnOptions } = commandOf({ device, sampleRate, channels, audioType: 'raw' });
  // `rec` is given no device otherwise.
  const env = recorder === 'rec' && device ? { ...process.env, AUDIODEV: device } : spawnOptions?.env;
  return () => spawn(cmd, args.map(String), { env });
}

function whyEnded(recorder: Recorder, { code, signal, complaint, error }: ChildEnd): RxscribeError {
  if (error && 'code' in error && error.code === 'ENOENT') return programMissing('record', recorder, error);
  const fail = (errorCode: RxscribeError['code'], found: string) =>
    new RxscribeError(errorCode, `record with ${recorder}: ${found}`, { cause: error });
  if (error) return fail('program-failed', error.message);
  if (signal) return fail('program-failed', `it was ended by ${signal}`);
  return fail('audio-device', complaint || `it ended with exit code ${code}`);
}

/** What ALSA's recorder writes when nobody took its audio in time, in any language; the number is the milliseconds. */
const OVERRUN = /!!! ?\(\D*(\d+)[.,](\d+)[^\n]*\n/g;

/** A line is not longer. */
const MAX_LINE = 500;

/**
 * Reads of the messages of arecord, which come in pieces of any size, how many milliseconds it has lost. It knows a lower
 * bound only.
 *
 * @example
 * const lostMs = createOverrunReader();
 * lostMs('overrun!!! (at least 12.5'); // 0
 * lostMs('00 ms long)\n'); // 12.5
 */
export function createOverrunReader(): (text: string) => number {
  let rest = '';
  return text => {
    const all = rest + text;
    const overruns = [...all.matchAll(OVERRUN)];
    rest = all.slice(all.lastIndexOf('\n') + 1).slice(-MAX_LINE);
    return overruns.reduce((sum, [, whole, part]) => sum + Number(`${whole}.${part}`), 0);
  };
}
