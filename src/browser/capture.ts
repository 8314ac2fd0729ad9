import { Observable } from 'rxjs';
import type { AudioBlock } from '../audio/format/format.ts';
import { RxscribeError } from '../base/errors.ts';

const PROCESSOR = 'rxscribe-capture';

/**
 * The code of the audio worklet, which passes on eight render quanta at a time. A page whose policy has no `blob:` serves it
 * as a file of its own, and gives its address as `workletUrl`.
 */
export const CAPTURE_WORKLET = `registerProcessor('${PROCESSOR}', class extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.channels = processorOptions.channels;
  }
  process([input]) {
    if (input.length === 0) {
      this.samples = undefined;
      return true;
    }
    const frames = input[0].length;
    if (!this.samples) {
      this.samples = new Float32Array(8 * frames * this.channels);
      this.startFrame = currentFrame;
      this.at = 0;
    }
    for (let frame = 0; frame < frames; frame++) {
      for (let channel = 0; channel < this.channels; channel++) {
        this.samples[this.at++] = (input[channel] ?? input[0])[frame];
      }
    }
    if (this.at === this.samples.length) {
      const { samples, startFrame } = this;
      this.samples = undefined;
      this.port.postMessage({ samples, startFrame }, [samples.buffer]);
    }
    return true;
  }
});
`;

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
  /** A context with the worklet. */
  readonly context: AudioContext;
  /** Name of the source, for messages. */
  readonly name: string;
  readonly channels: number;
  readonly open: () => Promise<MediaStream>;
  /** True when the end of the stream completes the audio; otherwise it is an error. */
  readonly endsByUser: boolean;
}

/** Captures the audio of a stream of the browser, counted from 0, until that is over. */
export function capture({
  context,
  name,
  channels,
  open,
  endsByUser,
}: CaptureOptions): Observable<AudioBlock> {
  return new Observable(subscriber => {
    let stream: MediaStream | undefined;
    let node: AudioWorkletNode | undefined;
    const stop = () => {
      node?.disconnect();
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const fail = (message: string, cause?: unknown) =>
      subscriber.error(new RxscribeError('audio-device', message, { cause }));
    const onEnded = () => {
      if (endsByUser) subscriber.complete();
      else fail(`There is no more audio from ${name}: it was disconnected or taken away.`);
    };
    const start = async () => {
      stream = await open();
      if (subscriber.closed) return stop();
      const [track] = stream.getAudioTracks();
      if (!track) return fail(`There is no audio in ${name}. Share it with its sound.`);
      track.addEventListener('ended', onEnded);
      const options = {
        processorOptions: { channels },
        channelCount: channels,
        channelCountMode: 'explicit',
      };
      node = new AudioWorkletNode(context, PROCESSOR, options as AudioWorkletNodeOptions);
      let firstFrame: number | undefined;
      node.port.onmessage = ({ data: { samples, startFrame } }) => {
        firstFrame ??= Number(startFrame);
        const { sampleRate } = context;
        subscriber.next({ startFrame: startFrame - firstFrame, sampleRate, channels, samples });
      };
      // Without a way to the speakers, some browsers do not run the node. It gives silence.
      context.createMediaStreamSource(stream).connect(node).connect(context.destination);
    };
    start().catch(cause => fail(refusal(name, cause), cause));
    return stop;
  });
}

const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'it was not allowed. Allow it in the settings of the page, beside its address.',
  NotFoundError: 'there is none.',
  OverconstrainedError: 'there is none like that.',
  NotReadableError: 'another program uses it, or the system refuses it.',
};

function refusal(name: string, cause: unknown): string {
  const reason = cause instanceof Error ? (REASONS[cause.name] ?? cause.message) : String(cause);
  return `Cannot use ${name}: ${reason}`;
}
