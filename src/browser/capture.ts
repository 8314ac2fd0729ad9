import { Observable } from 'rxjs';
import type { AudioBlock } from '../audio/format/format.ts';
import { RxscribeError, reasonOf } from '../base/errors.ts';
import { CAPTURE_PROCESSOR, CAPTURE_WORKLET } from './captureWorklet.ts';

/** Loads the worklet into a context. */
export async function loadWorklet(context: AudioContext, workletUrl: string | undefined): Promise<void> {
  const url = workletUrl ?? URL.createObjectURL(new Blob([CAPTURE_WORKLET], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(url);
  } catch (cause) {
    const advice = "Allow 'blob:' as a source of scripts, or give 'workletUrl'.";
    throw new RxscribeError('audio-device', `Cannot load the audio worklet of the page. ${advice}`, {
      cause,
    });
  } finally {
    if (workletUrl === undefined) URL.revokeObjectURL(url);
  }
}

export interface CaptureOptions {
  readonly context: AudioContext;
  /** Resolves when the context has the worklet. */
  readonly loaded: Promise<void>;
  /** Name of the source, for messages. */
  readonly name: string;
  readonly channels: number;
  /** Called at once, as a browser may need the click of a person. */
  readonly open: () => Promise<MediaStream>;
  /** True when the end of the stream completes the audio; otherwise it is an error. */
  readonly endsByUser: boolean;
}

/** Milliseconds in which an opened stream must give audio while the context runs. */
const FIRST_AUDIO_MS = 3000;

/** Captures the audio of a stream of the browser, counted from 0, until that is over. */
export function capture(options: CaptureOptions): Observable<AudioBlock> {
  const { context, loaded, name, channels, open, endsByUser } = options;
  return new Observable(subscriber => {
    let stream: MediaStream | undefined;
    let source: AudioNode | undefined;
    let node: AudioWorkletNode | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const clock = suspensionClock(context);
    const stop = () => {
      clock.stop();
      clearTimeout(timer);
      source?.disconnect();
      node?.disconnect();
      // Without this message, the processor runs for as long as the context.
      node?.port.postMessage('stop');
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const fail = (message: string, cause?: unknown) =>
      subscriber.error(new RxscribeError('audio-device', message, { cause }));
    const onEnded = () => {
      if (endsByUser) subscriber.complete();
      else fail(`There is no more audio from ${name}: it was disconnected or taken away.`);
    };
    const awaitAudio = () => {
      timer = setTimeout(() => {
        if (context.state === 'running') fail(`There is no audio from ${name}.`);
        else awaitAudio();
      }, FIRST_AUDIO_MS);
    };
    const start = async () => {
      stream = await open();
      await loaded;
      if (subscriber.closed) return stop();
      const [track] = stream.getAudioTracks();
      if (!track) return fail(`There is no audio in ${name}. Share it with its sound (Firefox cannot).`);
      track.addEventListener('ended', onEnded);
      const wanted = { processorOptions: { channels }, channelCount: channels, channelCountMode: 'explicit' };
      node = new AudioWorkletNode(context, CAPTURE_PROCESSOR, wanted as AudioWorkletNodeOptions);
      let firstFrame: number | undefined;
      node.port.onmessage = ({ data: { samples, startFrame } }) => {
        clearTimeout(timer);
        const frame: number = startFrame + clock.frames();
        firstFrame ??= frame;
        const { sampleRate } = context;
        subscriber.next({ startFrame: frame - firstFrame, sampleRate, channels, samples });
      };
      source = context.createMediaStreamSource(stream);
      // Some browsers run a node only if it is connected to an output. This node outputs silence.
      source.connect(node).connect(context.destination);
      // A page that captures may play: some browsers start the context now, others after a click.
      context.resume().catch(() => {});
      awaitAudio();
    };
    start().catch(cause =>
      cause instanceof RxscribeError ? subscriber.error(cause) : fail(refusal(name, cause), cause),
    );
    return stop;
  });
}

/** Counts the frames that a context lacks because it did not run. */
function suspensionClock(context: AudioContext) {
  let suspendedMs = 0;
  let sinceMs: number | undefined;
  const onChange = () => {
    if (context.state !== 'running') sinceMs ??= performance.now();
    else if (sinceMs !== undefined) {
      suspendedMs += performance.now() - sinceMs;
      sinceMs = undefined;
    }
  };
  context.addEventListener('statechange', onChange);
  return {
    frames: () => Math.round((suspendedMs / 1000) * context.sampleRate),
    stop: () => context.removeEventListener('statechange', onChange),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'it was not allowed, or the choice was cancelled. Permissions are in the settings beside the address',
  NotFoundError: 'there is none',
  OverconstrainedError: 'no such device exists',
  NotReadableError: 'another program uses it, or the system refuses it',
};

function refusal(name: string, cause: unknown): string {
  const reason = (cause instanceof Error && REASONS[cause.name]) || reasonOf(cause);
  return `Cannot use ${name}: ${reason}.`;
}
