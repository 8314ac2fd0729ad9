import { type ChildProcess, spawn } from 'node:child_process';
import { Observable } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, reasonOf, requirePositive } from '../../base/errors.ts';
import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import type { AudioBlock } from '../format/format.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import { type AudioWarning, warnProcess } from './blockSource.ts';
import { type ChildEnd, findProgram, programMissing, watchChild } from './program.ts';

/** Supported recording programs: `arecord` of ALSA, and `rec` and `sox` of SoX. */
export const RECORDERS = ['arecord', 'rec', 'sox'] as const;

export type Recorder = (typeof RECORDERS)[number];

export interface MicrophoneOptions {
  /** The name of the device for the recorder, such as `hw:1,0` or `pulse` for ALSA. Default: the system's default device. */
  readonly device?: string;
  /** Hz, an integer from 8000 to 48000. Default 16000. */
  readonly sampleRate?: number;
  /** Samples per frame, 1 to 10. Default 1. */
  readonly channels?: number;
  /** Default `auto`: the first of {@link RECORDERS} that is installed. `arecord` has the lowest delay. */
  readonly recorder?: Recorder | 'auto';
  /**
   * Longest time without audio, also at the start, before the stream fails. A muted microphone still sends silence.
   * Default 10,000.
   */
  readonly stallTimeoutMs?: number;
  /** Called when audio is lost, if the recorder reports it (`arecord` does). Default: a process warning. */
  readonly onWarning?: (warning: AudioWarning) => void;
  /** Default {@link systemClock}. */
  readonly clock?: Clock;
}

/** Defaults of {@link MicrophoneOptions}. */
export const MICROPHONE_DEFAULTS = {
  sampleRate: 16_000,
  channels: 1,
  recorder: 'auto',
  stallTimeoutMs: 10_000,
} as const satisfies MicrophoneOptions;

/**
 * Records from a microphone. Live audio cannot be held back: a slow consumer has to buffer it. When `arecord` reports an
 * overrun, the positions have a gap of the reported length, and there is a warning.
 *
 * Each subscriber starts a recorder of its own; unsubscribing kills it. A recording never completes. It fails with an
 * RxscribeError when the recorder ends: `audio-device` with the reason of the recorder (no such device, device busy),
 * `program-failed` when it was killed, `program-missing` when none is installed, `timeout` when it sends no audio.
 *
 * @throws InvalidArgumentError for a sample rate or a number of channels out of range, or a timeout that is not above 0
 * @example
 * import { chunk, microphone, transcribe } from 'rxscribe';
 *
 * microphone({ device: 'hw:1,0' })
 *   .pipe(chunk(), transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }))
 *   .subscribe(event => console.log(event.type));
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
  requirePositive('stallTimeoutMs', stallTimeoutMs);
  return new Observable(subscriber => {
    const recorder = chooseRecorder(wanted);
    const record = (start: () => ChildProcess) => {
      if (subscriber.closed) return;
      const child = start();
      const reader = createPcmReader({ sampleFormat: 'S16LE', sampleRate, channels });
      let cancelStall = () => {};
      subscriber.add(() => {
        cancelStall();
        // A recorder has nothing to save, and a stopped one ignores all other signals.
        child.kill('SIGKILL');
      });
      const expectBytes = () => {
        cancelStall();
        cancelStall = clock.schedule(stallTimeoutMs, () => {
          const message = `Cannot record with ${recorder}: no audio for ${stallTimeoutMs} ms.`;
          subscriber.error(new RxscribeError('timeout', message));
        });
      };
      expectBytes();
      let lostMs = 0;
      followLosses(child, moreMs => {
        lostMs += moreMs;
        const message = `The machine was too busy to record: at least ${moreMs} ms of audio are lost.`;
        onWarning({ code: 'audio-damaged', message });
      });
      // Attached synchronously: the stream is flowing already, and data without a listener is lost.
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
  throw new InvalidArgumentError(`Option '${name}' must be an integer from ${min} to ${max}, not ${value}.`);
}

function chooseRecorder(wanted: Recorder | 'auto'): Recorder {
  const candidates = wanted === 'auto' ? RECORDERS : [wanted];
  const found = candidates.find(name => findProgram(name));
  if (!found) throw programMissing('record', candidates.join(' or '));
  return found;
}

/** Reports each loss of audio, in milliseconds. */
function followLosses(child: ChildProcess, onLoss: (lostMs: number) => void): void {
  const readOverruns = createOverrunReader();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lostMs = readOverruns(text);
    if (lostMs > 0) onLoss(lostMs);
  });
}

/** Loaders of the commands by recorder. The package's own entry finds them by a path that does not exist in a bundle. */
const COMMANDS = {
  arecord: () => import('node-record-lpcm16/recorders/arecord.js'),
  rec: () => import('node-record-lpcm16/recorders/rec.js'),
  sox: () => import('node-record-lpcm16/recorders/sox.js'),
};

/**
 * Resolves with a function that starts a recorder. Only the commands of node-record-lpcm16 are used: its own recording ends
 * without an error when the recorder dies, drops stderr, emits errors that are strings, and replays after a pause what was
 * said during it.
 */
async function loadRecorder(
  recorder: Recorder,
  { device, sampleRate, channels }: MicrophoneOptions,
): Promise<() => ChildProcess> {
  const { default: commandOf } = await COMMANDS[recorder]();
  const { cmd, args, spawnOptions } = commandOf({ device, sampleRate, channels, audioType: 'raw' });
  // The command of `rec` has no other way to name a device.
  const env = recorder === 'rec' && device ? { ...process.env, AUDIODEV: device } : spawnOptions?.env;
  return () => spawn(cmd, args.map(String), { env });
}

function whyEnded(recorder: Recorder, { code, signal, stderrTail, error }: ChildEnd): RxscribeError {
  if (error && 'code' in error && error.code === 'ENOENT') return programMissing('record', recorder, error);
  const fail = (errorCode: RxscribeError['code'], problem: string) =>
    new RxscribeError(errorCode, `Cannot record with ${recorder}: ${reasonOf(problem)}.`, { cause: error });
  if (error) return fail('program-failed', error.message);
  if (signal) return fail('program-failed', `it was killed by ${signal}`);
  return fail('audio-device', stderrTail || `it ended with exit code ${code}`);
}

/** The message of `arecord` about an overrun, in any language; the number is the lost milliseconds. */
const OVERRUN = /!!! ?\(\D*(\d+)[.,](\d+)[^\n]*\n/g;

/** Characters of the longest line that is matched. */
const MAX_LINE = 500;

/**
 * Returns a function that takes the stderr of arecord, in pieces of any size, and returns how many milliseconds of audio were
 * lost since the last call. arecord reports a lower bound only.
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
