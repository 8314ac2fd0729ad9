import type { Observable } from 'rxjs';
import { fullJitterMs } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { RxscribeError, requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { failOnStall } from '../../flow/failOnStall.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { CHANNELS_RANGE, requireIntegerIn, SAMPLE_RATE_RANGE } from '../format/contentType.ts';
import type { AudioBlock } from '../format/format.ts';
import { warnProcess } from './blockSource.ts';
import { reconnecting, type SourceStatus, warnOfStatus } from './reconnecting.ts';
import { type RecordedDevice, recordedDevice } from './recordedDevice.ts';
import { type Recorder, recording } from './recorder.ts';
import { reportSilence } from './silence.ts';

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
  /**
   * Records again when the microphone is lost after its first audio, until the stream is unsubscribed: from the device, or
   * else from the default device until that is lost in turn. A recording that a sound server has moved to another device is
   * moved back when a device that was asked for returns. The time without audio is a gap in the positions. Default false.
   */
  readonly reconnect?: boolean;
  /** With `reconnect`, longest time without audio before the microphone counts as lost. Default 2000. */
  readonly lossMs?: number;
  /** Seconds of digital silence, such as of a muted device, after which it is reported. Infinity for never. Default 10. */
  readonly silenceSeconds?: number;
  /** Called when audio is lost, if the recorder reports it (`arecord` does). Default: a process warning. */
  readonly onWarning?: OnAudioWarning;
  /**
   * Called when the microphone is lost, back, silent or audible again; with `reconnect`, where PulseAudio or PipeWire runs, also
   * with the device that is heard. Default: a process warning for lost and silent.
   */
  readonly onStatus?: (status: SourceStatus) => void;
  /** Default {@link systemClock}. */
  readonly clock?: Clock;
}

/** Defaults of {@link MicrophoneOptions}. */
export const MICROPHONE_DEFAULTS = {
  sampleRate: 16_000,
  channels: 1,
  recorder: 'auto',
  stallTimeoutMs: 10_000,
  reconnect: false,
  lossMs: 2000,
  silenceSeconds: 10,
} as const satisfies MicrophoneOptions;

/** Longest time in which a lost microphone must give audio again; the other device is tried afterwards. */
const REOPEN_MS = 3000;

const BACKOFF = { baseMs: 500, capMs: 1000 } as const;

/**
 * Records from a microphone. Live audio cannot be held back: a slow consumer has to buffer it. When `arecord` reports an
 * overrun, the positions have a gap of the reported length, and there is a warning.
 *
 * Each subscriber starts a recorder of its own; unsubscribing kills it. A recording never completes. It fails with an
 * RxscribeError when the recorder ends, with `reconnect` only before its first audio: `audio-device` with the reason of the
 * recorder (no such device, device busy), `program-failed` when it was killed, `program-missing` when none is installed,
 * `timeout` when it sends no audio.
 *
 * @throws InvalidArgumentError for a sample rate or a number of channels out of range, or a time that is not above 0
 * @example
 * import { chunk, microphone, transcribe } from 'rxscribe';
 *
 * microphone({ device: 'hw:1,0', reconnect: true })
 *   .pipe(chunk(), transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }))
 *   .subscribe(event => console.log(event.type));
 */
export function microphone(options: MicrophoneOptions = {}): Observable<AudioBlock> {
  namedOptions('MicrophoneOptions', options);
  const settings: Settings = {
    ...MICROPHONE_DEFAULTS,
    onWarning: warnProcess,
    onStatus: warnOfStatus,
    clock: systemClock,
    ...defined(options),
  };
  requireIntegerIn("Option 'sampleRate'", settings.sampleRate, SAMPLE_RATE_RANGE);
  requireIntegerIn("Option 'channels'", settings.channels, CHANNELS_RANGE);
  requirePositive('stallTimeoutMs', settings.stallTimeoutMs);
  requirePositive('lossMs', settings.lossMs);
  requirePositive('silenceSeconds', settings.silenceSeconds);
  const audio$ = settings.reconnect ? lastingRecording(settings) : singleRecording(settings);
  return audio$.pipe(reportSilence(settings.silenceSeconds, nameOf(settings.device), settings.onStatus));
}

type Settings = Required<Omit<MicrophoneOptions, 'device'>> & Pick<MicrophoneOptions, 'device'>;

function nameOf(device: string | undefined): string {
  return device === undefined ? 'the default microphone' : `the microphone '${device}'`;
}

function singleRecording(settings: Settings): Observable<AudioBlock> {
  const { stallTimeoutMs, clock } = settings;
  const error = (stalledMs: number) =>
    new RxscribeError('timeout', `Cannot record with ${settings.recorder}: no audio for ${stalledMs} ms.`);
  return recording(settings).pipe(
    failOnStall({ firstMs: stallTimeoutMs, eachMs: stallTimeoutMs, clock, error }),
  );
}

/** Records from the device, or else from the default one, for as long as there is a subscriber. */
function lastingRecording(settings: Settings): Observable<AudioBlock> {
  const { device, sampleRate, stallTimeoutMs, lossMs, clock } = settings;
  const onStatus = (status: SourceStatus) =>
    settings.onStatus(
      status.type === 'back' ? { ...status, isOther: status.name !== nameOf(device) } : status,
    );
  const follow = (processId: number) =>
    recordedDevice(processId, sourceOf(device)).subscribe(found => onStatus(deviceStatus(found, device)));
  const devices = device === undefined ? [undefined] : [device, undefined];
  let hasOpened = false;
  return reconnecting({
    connect(attempt) {
      const current = devices[attempt % devices.length];
      const openMs = hasOpened ? REOPEN_MS : stallTimeoutMs;
      hasOpened = true;
      return { name: nameOf(current), audio$: recording({ ...settings, device: current, follow }), openMs };
    },
    // The default device is tried at once after the wanted one.
    waitMs: attempt =>
      attempt % devices.length === 0 ? fullJitterMs(Math.floor(attempt / devices.length), BACKOFF) : 0,
    sampleRate,
    lossMs,
    settleMs: 0,
    onStatus,
    clock,
  });
}

/** Returns the name of the sound server's source that a device stands for; undefined for any other device. */
const sourceOf = (device = '') => /^pulse:([^@].*)$/.exec(device)?.[1];

function deviceStatus({ name, isOther }: RecordedDevice, device: string | undefined): SourceStatus {
  const message = isOther
    ? `The system records from '${name}' instead of ${nameOf(device)}.`
    : `Recording from '${name}'.`;
  return { type: 'device', name, isOther, message };
}
