import { defer, finalize, from, type Observable, switchMap } from 'rxjs';
import { CHANNELS_RANGE, requireIntegerIn } from '../audio/format/contentType.ts';
import type { AudioBlock } from '../audio/format/format.ts';
import { reconnecting, type SourceStatus } from '../audio/source/reconnecting.ts';
import { watchSilence } from '../audio/source/silence.ts';
import { systemClock } from '../base/clock.ts';
import { RxscribeError, requirePositive } from '../base/errors.ts';
import { capture, loadWorklet } from './capture.ts';

export interface DisplayAudioOptions {
  /** Samples per frame, 1 to 10: the browser mixes to so many. Default 1. */
  readonly channels?: number;
  /** Address of a file with {@link CAPTURE_WORKLET}, where the policy of the page has no `blob:`. Default: none. */
  readonly workletUrl?: string;
  /**
   * Called when the browser waits for a click before it gives audio, and when a microphone is lost, back, silent or audible
   * again. Default: a warning on the console for waiting, lost and silent.
   */
  readonly onStatus?: (status: SourceStatus) => void;
}

export interface BrowserMicrophoneOptions extends DisplayAudioOptions {
  /** Id of the device, of `navigator.mediaDevices.enumerateDevices()`. Default: the default microphone. */
  readonly deviceId?: string;
  /** Further wishes, such as `{ echoCancellation: false }`. Default: those of the browser. */
  readonly constraints?: MediaTrackConstraints;
  /** Longest time without audio before the microphone counts as lost, in milliseconds. Default 2000. */
  readonly lossMs?: number;
  /** Seconds of digital silence, such as of a muted device, after which it is reported. Infinity for never. Default 10. */
  readonly silenceSeconds?: number;
}

/** Milliseconds in which a lost microphone must give audio again. */
const REOPEN_MS = 3000;

/** Milliseconds between two attempts to find a lost microphone. */
const RETRY_MS = 1000;

/**
 * Records from a microphone of the browser, by an audio worklet, at the rate of its audio device: pipe it through `resample()`.
 *
 * A microphone that is unplugged, or gives no audio, is looked for again, and the default one as well, until the stream is
 * unsubscribed; the time without audio is a gap in the positions. A browser that plays no sound before a click on the page
 * gives no audio before it either: a click or a key then starts it.
 *
 * Fails with an RxscribeError `audio-device` when there is no microphone or it is not allowed, and when the page is not secure
 * (`https:` or localhost). Unsubscribing releases the microphone.
 *
 * @throws InvalidArgumentError for a number of channels out of range, or a time that is not above 0
 * @example
 * import { browserMicrophone, mergeTranscript, resample, transcribe, writePlainText } from 'rxscribe/browser';
 *
 * const live = transcribe({ url: 'https://speech.example', token: () => fetch('/token').then(answer => answer.text()) });
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
  const name = nameOf(deviceId);
  return inContext(options, context => {
    let hasOpened = false;
    return reconnecting({
      connect(attempt) {
        const device = devices[attempt % devices.length];
        const audio = { ...constraints, ...(device !== undefined && { deviceId: { exact: device } }) };
        // A person may take any time to allow it.
        const openMs = hasOpened ? REOPEN_MS : Number.POSITIVE_INFINITY;
        hasOpened = true;
        const open = () => mediaDevices().getUserMedia({ audio });
        const audio$ = capture({ context, name: nameOf(device), channels, open, endsByUser: false });
        return { name: nameOf(device), audio$, openMs };
      },
      waitMs: attempt => (attempt % devices.length === 0 ? RETRY_MS : 0),
      sampleRate: context.sampleRate,
      lossMs,
      settleMs: 0,
      onStatus,
      clock: systemClock,
    }).pipe(
      watchSilence({
        seconds: silenceSeconds,
        onSilent() {
          const message = `The microphone gives digital silence for ${silenceSeconds} s. Check that it is not muted.`;
          onStatus({ type: 'silent', name, message });
        },
        onAudible: () => onStatus({ type: 'audible', name, message: 'The microphone gives sound again.' }),
      }),
    );
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
  return inContext(options, context => {
    const open = () => mediaDevices().getDisplayMedia({ audio: true, video: true });
    return capture({ context, name, channels, open, endsByUser: true });
  });
}

/** Opens an audio context for each subscriber, and closes it with the subscription. */
function inContext(
  options: DisplayAudioOptions,
  audioOf: (context: AudioContext) => Observable<AudioBlock>,
): Observable<AudioBlock> {
  const { channels = 1, workletUrl, onStatus = warnOnConsole } = options;
  requireIntegerIn("Option 'channels'", channels, CHANNELS_RANGE);
  return defer(() => {
    const context = new AudioContext();
    const resume = () => void context.resume();
    const wait = () => {
      if (context.state === 'running' || context.state === 'closed') return;
      const message = 'The browser gives no audio before a click on the page.';
      onStatus({ type: 'waiting', name: 'the audio of the page', message });
    };
    context.addEventListener('statechange', wait);
    const gestures = ['pointerup', 'keydown'] as const;
    for (const gesture of gestures) addEventListener(gesture, resume);
    return from(loadWorklet(context, workletUrl)).pipe(
      switchMap(() => {
        wait();
        return audioOf(context);
      }),
      finalize(() => {
        for (const gesture of gestures) removeEventListener(gesture, resume);
        context.removeEventListener('statechange', wait);
        void context.close();
      }),
    );
  });
}

/** @throws RxscribeError `audio-device` where the browser gives a page no devices */
function mediaDevices(): MediaDevices {
  if (navigator.mediaDevices) return navigator.mediaDevices;
  throw new RxscribeError('audio-device', 'the page is not secure. Open it by https: or from localhost.');
}

function warnOnConsole({ type, message }: SourceStatus): void {
  if (type !== 'back' && type !== 'audible') console.warn(message);
}
