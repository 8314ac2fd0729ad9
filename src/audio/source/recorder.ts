import { type ChildProcess, spawn } from 'node:child_process';
import { Observable, type Unsubscribable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { type AudioBlock, framesOf } from '../format/format.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import { type ChildEnd, findProgram, programMissing, watchChild } from './program.ts';

/** Supported recording programs: `arecord` of ALSA, and `rec` and `sox` of SoX. */
export const RECORDERS = ['arecord', 'rec', 'sox'] as const;

export type Recorder = (typeof RECORDERS)[number];

export interface RecordingOptions {
  /** Default: the system's default device. */
  readonly device?: string;
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly recorder: Recorder | 'auto';
  /** Called when audio is lost, if the recorder reports it. */
  readonly onWarning: OnAudioWarning;
  readonly clock: Clock;
  /** Called with the id of the process that records; the subscription ends with the recording. */
  readonly follow?: (processId: number) => Unsubscribable;
}

/**
 * Records with one run of a recording program, whose end is an error: `audio-device`, `program-failed` or
 * `program-missing`. Unsubscribing kills the program.
 */
export function recording(options: RecordingOptions): Observable<AudioBlock> {
  const { sampleRate, channels, onWarning, clock } = options;
  return new Observable(subscriber => {
    const recorder = chooseRecorder(options.recorder);
    const record = (start: () => ChildProcess) => {
      if (subscriber.closed) return;
      const child = start();
      const reader = createPcmReader({ sampleFormat: 'S16LE', sampleRate, channels });
      // A recorder has nothing to save, and a stopped one ignores all other signals.
      subscriber.add(() => child.kill('SIGKILL'));
      if (child.pid !== undefined) subscriber.add(options.follow?.(child.pid));
      let startedMs: number | undefined;
      let [lostMs, endFrame] = [0, 0];
      followLosses(child, reportedMs => {
        // With a sound server, arecord reports seconds where hardly anything is lost: the loss is at most the missing time.
        const nowMs = clock.now();
        const missingMs = nowMs - (startedMs ?? nowMs) - (endFrame * 1000) / sampleRate - lostMs;
        const moreMs = Math.min(reportedMs, Math.round(missingMs));
        if (moreMs <= 0) return;
        lostMs += moreMs;
        const message = `The machine was too busy to record: at least ${moreMs} ms of audio are lost.`;
        onWarning({ code: 'audio-damaged', message });
      });
      // Attached synchronously: the stream is flowing already, and data without a listener is lost.
      child.stdout?.on('data', (bytes: Uint8Array) => {
        if (subscriber.closed) return;
        const block = reader.push(bytes);
        if (!block) return;
        startedMs ??= clock.now() - (framesOf(block) * 1000) / sampleRate;
        endFrame = block.startFrame + framesOf(block);
        const lostFrames = Math.round((lostMs * sampleRate) / 1000);
        subscriber.next({ ...block, startFrame: block.startFrame + lostFrames });
      });
      void watchChild(child).then(end => subscriber.error(whyEnded(recorder, end)));
    };
    loadRecorder(recorder, options)
      .then(record)
      .catch(error => subscriber.error(error));
  });
}

/**
 * Returns the recording program to use.
 *
 * @throws RxscribeError `program-missing` when it is not installed
 */
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

/**
 * Milliseconds of audio that a sound server collects, also PipeWire. Without it some of its sources give two seconds at once,
 * which arecord reports as an overrun, and a watchdog as a loss.
 */
const PULSE_LATENCY_MS = '100';

/**
 * Microseconds of audio that a device keeps while the machine is too busy to read it, where it can (half a second by default),
 * and of each read.
 */
const ARECORD_TIMES = ['--buffer-time=10000000', '--period-time=100000'] as const;

/**
 * Loaders of the commands by recorder. The package's entry imports the commands from a path that does not exist in a bundle.
 */
const COMMANDS = {
  arecord: () => import('node-record-lpcm16/recorders/arecord.js'),
  rec: () => import('node-record-lpcm16/recorders/rec.js'),
  sox: () => import('node-record-lpcm16/recorders/sox.js'),
};

/**
 * Resolves with a function that starts a recorder. Only the commands of node-record-lpcm16 are used: its own recording ends
 * without an error when the recorder dies, drops stderr, emits errors that are strings, and replays after a pause the audio of
 * the pause.
 */
async function loadRecorder(
  recorder: Recorder,
  { device, sampleRate, channels }: RecordingOptions,
): Promise<() => ChildProcess> {
  const { default: commandOf } = await COMMANDS[recorder]();
  const { cmd, args, spawnOptions } = commandOf({ device, sampleRate, channels, audioType: 'raw' });
  const env = {
    PULSE_LATENCY_MSEC: PULSE_LATENCY_MS,
    ...process.env,
    ...spawnOptions?.env,
    // `rec` takes the device from this variable only.
    ...(recorder === 'rec' && device && { AUDIODEV: device }),
  };
  const times = recorder === 'arecord' ? ARECORD_TIMES : [];
  return () => spawn(cmd, [...args.map(String), ...times], { env });
}

function whyEnded(recorder: Recorder, { code, signal, stderrTail, error }: ChildEnd): RxscribeError {
  if (error && 'code' in error && error.code === 'ENOENT')
    return programMissing('record', recorder, { cause: error });
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
