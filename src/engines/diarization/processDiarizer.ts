/** Diarizers whose work is done in child processes. */
import { RxscribeError } from '../../base/errors.ts';
import type { Diarizer, SpeakerTracker, SpeakerTurn } from '../diarizer.ts';
import type { PooledChannel, ProcessPool } from '../process/processPool.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';

/** Methods of a process for one recording. */
export interface RecordingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** Returns the turns of the whole recording, after its last write. */
  turns(): readonly SpeakerTurn[];
}

/** Methods of a process for one stream. */
export interface TrackingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** As in a `SpeakerTracker`. */
  speakerDuring(startFrame: number, endFrame: number): number;
}

export interface ProcessDiarizerOptions<Event, Setup> {
  readonly name: string;
  readonly sampleRate: number;
  /** Processes of recordings, one for each. */
  readonly recordings: ProcessPool<RecordingMethods, Event, Setup>;
  readonly recordingSetup: Setup;
  /** The process of all streams. */
  readonly streams: ProcessPool<TrackingMethods, Event, Setup>;
  readonly streamSetup: Setup;
}

/** Creates a diarizer from the processes of recordings and of streams. */
export function createProcessDiarizer<Event, Setup>(options: ProcessDiarizerOptions<Event, Setup>): Diarizer {
  const { name, sampleRate, recordings, recordingSetup, streams, streamSetup } = options;

  async function close(): Promise<void> {
    await Promise.all([recordings.close(), streams.close()]);
  }

  return {
    name,
    sampleRate,
    async diarize(audio, { speakersCount, signal } = {}) {
      const channel = await recordings.take(recordingSetup, { lasting: false, signal });
      try {
        await channel.call('start', [speakersCount], { signal });
        // A second in each message.
        for await (const block of audioBlocks(audio, sampleRate)) {
          await channel.call('write', [block], { signal });
        }
        return await channel.call('turns', [], { signal });
      } finally {
        await channel.release();
      }
    },
    async track({ speakersCount, signal } = {}) {
      const channel = await streams.take(streamSetup, { signal });
      try {
        await channel.call('start', [speakersCount], { signal });
        return trackerOver(channel, signal);
      } catch (error) {
        await channel.release();
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a tracker over a channel, which it releases when it is closed or the signal aborts. */
function trackerOver<Event>(
  channel: PooledChannel<TrackingMethods, Event>,
  given: AbortSignal | undefined,
): SpeakerTracker {
  const closing = new AbortController();
  const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
  let closed: Promise<void> | undefined;
  const close = () => {
    closing.abort(new RxscribeError('aborted', 'Cannot track speakers: the tracker is closed.'));
    given?.removeEventListener('abort', close);
    // A process that has ended needs no release.
    closed ??= channel.release().catch(() => {});
    return closed;
  };
  given?.addEventListener('abort', close, { once: true });
  return {
    write: samples => channel.call('write', [samples], { signal }),
    speakerDuring: (startFrame, endFrame) =>
      channel.call('speakerDuring', [startFrame, endFrame], { signal }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
