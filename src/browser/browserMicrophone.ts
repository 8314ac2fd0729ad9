import { defer, finalize, type Observable } from 'rxjs';
import { CHANNELS_RANGE, requireIntegerIn } from '../audio/format/contentType.ts';
import type { AudioBlock } from '../audio/format/format.ts';
import { reconnecting, type SourceStatus } from '../audio/source/reconnecting.ts';
import { reportSilence } from '../audio/source/silence.ts';
import { systemClock } from '../base/clock.ts';
import { RxscribeError, requirePositive } from '../base/errors.ts';
import { capture, loadWorklet } from './capture.ts';

export interface DisplayAudioOptions {
  /** Samples per frame, 1 to 10: the browser mixes to this number. Default 1. */
  readonly channels?: number;
  /** Address of a file with {@link CAPTURE_WORKLET}, where the policy of the page has no `blob:`. Default: none. */
  readonly workletUrl?: string;
  /**
   * Called when the browser gives no audio yet, as before a click on the page, and when a microphone is lost, back, silent or
   * audible again. Default: a warning on the console for waiting, lost and silent.
   */
  readonly onStatus?: (status: SourceStatus) => void;
}

export interface BrowserMicrophoneOptions extends DisplayAudioOptions {
  /** Id of the device, of `navigator.mediaDevices.enumerateDevices()`. Default: the default microphone. */
  readonly deviceId?: string;
  /** Further constraints, such as `{ echoCancellation: false }`. Default: those of the browser. */
  readonly constraints?: MediaTrackConstraints;
  /** Longest time without audio before the microphone counts as lost, in milliseconds. Default 2000. */
  readonly lossMs?: number;
  /** Seconds of digital silence, such as of a muted device, after which it is reported. Infinity for never. Default 10. */
  readonly silenceSeconds?: number;
}

/** Milliseconds between two attempts to find a lost microphone. */
const RETRY_MS = 1000;

/**
 * Records from a microphone of the browser, by an audio worklet, at the rate of its audio device: pipe it through `resample()`.
 *
 * If the microphone is unplugged or gives no audio, the source tries it and the default one again until it is unsubscribed;
 * the time without audio is a gap in the positions. A browser that plays no sound before a click on the page gives no audio
 * before it either: a click or a key then starts it.
 *
 * Fails with an RxscribeError `audio-device` when there is no microphone or it is not allowed, and when the page is not secure
 * (`https:` or localhost). Unsubscribing releases the microphone.
 *
 * @throws InvalidArgumentError for a number of channels out of range, or a time that is not above 0
 * @example
 * import { browserMicrophone, mergeTranscript, resample, transcribe, writePlainText } from 'rxscribe/browser';
 *
 * const live = transcribe({ url: 'https://speech.example', token: 'of a minute' });
 * browserMicrophone()
 *   .pipe(resample(), live, mergeTranscript())
 *   .subscribe(({ transcript }) => console.log(writePlainText(transcript)));
 */
export function browserMicrophone(options: BrowserMicrophoneOptions = {}): Observable<AudioBlock> {
  const { deviceId, constraints, lossMs = 2000, silenceSeconds = 10, channels = 1 } = options;
  const { onStatus = warnOnConsole } = options;
  requirePositive('lossMs', lossMs);
  requirePositive('silenceSeconds', silenceSeconds);
  const devices = deviceId === undefined ? [undefined] : [deviceId, undefined];
  const nameOf = (device: string | undefined) =>
    device === undefined ? 'the microphone' : 'the wanted microphone';
  return inContext(options, (context, loaded) => {
    let hasOpened = false;
    return reconnecting({
      connect(attempt) {
        const device = devices[attempt % devices.length];
        const wanted = { channelCount: channels, ...constraints };
        const audio = device === undefined ? wanted : { ...wanted, deviceId: { exact: device } };
        const open = async () => {
          // Some browsers ask the user at each attempt, so no attempt is made before the page can give audio.
          if (hasOpened) await untilRunning(context);
          hasOpened = true;
          return navigator.mediaDevices.getUserMedia({ audio });
        };
        const of = { context, loaded, name: nameOf(device), channels, open, endsByUser: false };
        // A person may take any time to allow the microphone; the capture has its own limit.
        return { name: of.name, audio$: capture(of), openMs: Number.POSITIVE_INFINITY };
      },
      waitMs: attempt => (attempt % devices.length === 0 ? RETRY_MS : 0),
      sampleRate: context.sampleRate,
      lossMs,
      settleMs: 0,
      onStatus,
      clock: systemClock,
    }).pipe(reportSilence(silenceSeconds, nameOf(deviceId), onStatus));
  });
}

/**
 * Records the sound of a tab, a window or the screen, which the browser asks the user to choose, such as the other side of a
 * call. Subscribe in the handler of a click. It completes when the user ends the sharing; the picture is not used.
 *
 * Fails with an RxscribeError `audio-device` when it is not allowed, or shared without its sound.
 *
 * @throws InvalidArgumentError for a number of channels out of range
 * @example
 * import { displayAudio, resample, transcribe } from 'rxscribe/browser';
 *
 * document.querySelector('button')?.addEventListener('click', () => {
 *   displayAudio()
 *     .pipe(resample(), transcribe({ url: 'https://speech.example', token: 'of a minute' }))
 *     .subscribe(event => console.log(event.type));
 * });
 */
export function displayAudio(options: DisplayAudioOptions = {}): Observable<AudioBlock> {
  const { channels = 1 } = options;
  const name = 'the shared tab, window or screen';
  return inContext(options, (context, loaded) => {
    const open = () => navigator.mediaDevices.getDisplayMedia({ audio: true, video: true });
    return capture({ context, loaded, name, channels, open, endsByUser: true });
  });
}

/** Milliseconds after which a context that does not run is reported. */
const START_MS = 1000;

/** Opens an audio context for each subscriber, and closes it with the subscription. */
function inContext(
  options: DisplayAudioOptions,
  audioOf: (context: AudioContext, loaded: Promise<void>) => Observable<AudioBlock>,
): Observable<AudioBlock> {
  const { channels = 1, workletUrl, onStatus = warnOnConsole } = options;
  requireIntegerIn("Option 'channels'", channels, CHANNELS_RANGE);
  return defer(() => {
    if (!navigator.mediaDevices) {
      const message = 'Cannot record: the page is not secure. Open it by https: or from localhost.';
      throw new RxscribeError('audio-device', message);
    }
    const context = new AudioContext();
    const resume = () => void context.resume().catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (context.state === 'running' || context.state === 'closed') return;
      const message =
        'The browser gives no audio yet. Click on the page, stop other uses of its audio, or connect a loudspeaker.';
      timer = setTimeout(
        () => onStatus({ type: 'waiting', name: 'the audio of the page', message }),
        START_MS,
      );
    };
    context.addEventListener('statechange', watch);
    for (const gesture of GESTURES) addEventListener(gesture, resume, { capture: true });
    watch();
    const loaded = loadWorklet(context, workletUrl);
    // The failure is reported by the capture that awaits this promise.
    loaded.catch(() => {});
    return audioOf(context, loaded).pipe(
      finalize(() => {
        for (const gesture of GESTURES) removeEventListener(gesture, resume, { capture: true });
        context.removeEventListener('statechange', watch);
        clearTimeout(timer);
        void context.close();
      }),
    );
  });
}

const GESTURES = ['pointerup', 'keydown'] as const;

function untilRunning(context: AudioContext): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (context.state === 'running') resolve();
  };
  context.addEventListener('statechange', check);
  check();
  return promise.finally(() => context.removeEventListener('statechange', check));
}

function warnOnConsole({ type, message }: SourceStatus): void {
  if (type !== 'back' && type !== 'audible') console.warn(message);
}
